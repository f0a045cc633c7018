import { setTimeout as sleep } from 'node:timers/promises'
import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import type { HttpApp, HttpDb, HttpDeps } from '#http/pipeline/deps.ts'

export type Probed = {
  app: Pick<HttpApp, 'watchOverview' | 'blobs' | 'logger'>
  db: HttpDb
  deps: Pick<HttpDeps, 'problems'>
}

/** `down` and `up` are what the log says when that changes. */
export type Probe<State> = { look: (probed: Probed) => Promise<State>; down: string; up: string }

export const databaseAway = 'PostgreSQL cannot be reached.'

/**
 * Looks for problems at most once in a second, however many ask, and throws 503 with what it finds. The log says when that changes,
 * not at each look.
 */
export function openProbe<State extends { problems: string[] }>(
  probe: Probe<State>,
): (probed: Probed) => Promise<State> {
  // Each server of this process has its own.
  const seenBy = new WeakMap<Probed['deps'], { look: () => Promise<State>; reason: string }>()
  return async (probed) => {
    const { app, deps } = probed
    const begin = () => ({ look: memoizeFor(limits.overviewKeptMs, () => probe.look(probed)), reason: '' })
    const seen = seenBy.get(deps) ?? begin()
    seenBy.set(deps, seen)
    const state = await seen.look()
    const reason = state.problems.join(' ')
    if (seen.reason !== reason) {
      seen.reason = reason
      if (reason) app.logger.warn({ reason }, probe.down)
      else app.logger.info(probe.up)
    }
    if (reason) throw new AppError('unavailable', { message: reason })
    return state
  }
}

/** What does not answer soon is a problem, as what fails is: who probes does not wait for long. */
export function inTime<T>(asked: Promise<T>, problem: (error?: unknown) => string): Promise<T | string[]> {
  const answered = asked.catch((error: unknown) => [problem(error)])
  return Promise.race([answered, sleep(limits.overviewMs, [problem()], { ref: false })])
}
