import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { claimCheck } from '#domain/hosts/checks/claim-check.ts'
import { nodeHealthOf } from '#worker/health/node-health.ts'
import { avoidedChecks } from './pass-check-on.ts'
import { runCheck } from './run-check.ts'

/** What each app runs of checks now. */
const atWork = new WeakMap<App, Set<Promise<void>>>()

/**
 * Begins to run the next check, if one waits and there is room; it goes on beside all else, until it has ended or the
 * signal stops it. Answers whether one was begun.
 */
export async function runChecks(app: App, signal: AbortSignal): Promise<boolean> {
  const running = atWork.get(app) ?? new Set()
  atWork.set(app, running)
  if (running.size >= limits.checkSlots || !nodeHealthOf(app).isFitNow) return false
  const { workerLabels: labels } = app.config
  const except = avoidedChecks(app)
  const claimed = await claimCheck(app.pool, { labels, enforcement: app.sandboxes.enforcement, except })
  if (!claimed) return false
  const done = runCheck(app, claimed, signal).finally(() => running.delete(done))
  running.add(done)
  return true
}

/** Resolves when no check is at work any more, once the signal has stopped them. */
export async function checksEnded(app: App): Promise<void> {
  await Promise.all(atWork.get(app) ?? new Set<Promise<void>>())
}
