import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { advanceFixer, type Advanced } from '#domain/hosts/fixers/advance-fixer.ts'
import { beginLook, type HeldFixer } from '#domain/hosts/fixers/begin-look.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'
import { doEffect } from './apply-effect.ts'
import { mergeReady } from './merge-ready.ts'
import { observePull } from './observe-pull.ts'
import { reportRun } from './report-run.ts'
import { weighReadiness } from './weigh-readiness.ts'
import { writeUpdate } from './write-update.ts'

/**
 * Looks after one pull request: does what its fixer was about to do, sees how things stand, and does what follows from that.
 * A look that fails is repeated, later each time.
 */
export const reconcileFixer: JobHandler = async (app, job, signal) => {
  const fixer = await beginLook(app.pool, job)
  if (!fixer) return
  const lookAt = await reconcile(app, fixer, signal)
  return { againInMs: lookAt === null ? null : Math.max(0, lookAt - app.clock.now().getTime()) }
}

/** When to look again; null: not before something happens. */
async function reconcile(app: App, held: HeldFixer, signal: AbortSignal): Promise<number | null> {
  const { pool } = app
  const { job } = held
  const repo = await getRepo(pool, held)
  const { number } = await getPull(pool, held)
  const looks: number[] = []
  let agent = held
  const take = (advanced: Advanced) => {
    agent = { ...advanced.agent, job }
    if (advanced.lookAt !== null) looks.push(advanced.lookAt)
    if (!advanced.isTaken) looks.push(app.clock.now().getTime() + limits.checksLookMsMin)
    return advanced.isTaken
  }
  const finishEffects = async () => {
    for (let effect = agent.effects[0]; effect; effect = agent.effects[0]) {
      signal.throwIfAborted()
      if (!take(await doEffect(app, { agent, repo, number, effect }))) return
    }
  }
  await finishEffects()
  const seen = await observePull(app, { agent, repo, number })
  const { commit: head } = seen.pull.head
  const base = seen.pull.base.branch
  const { updateBranch: method } = pullSettingsOf(repo)
  take(
    await advanceFixer(pool, {
      ...agent,
      events: seen.events,
      writeFix: (fix) => writeUpdate({ number, head, base, method, fix }),
    }),
  )
  // It is about to be known.
  if (seen.checks && seen.mergeability === null) looks.push(app.clock.now().getTime() + limits.checksLookMsMin)
  await finishEffects()
  const { title, status } = await getRun(pool, agent)
  await reportRun(app, { agent, repo, title: title ?? `run ${agent.runId}` })
  const { isReady, lookAt: readyAt } = await weighReadiness(app, { agent, repo, seen, isDone: status === 'completed' })
  if (readyAt !== null) looks.push(readyAt)
  if (isReady) await mergeReady(app, { agent, repo, number, head })
  if (seen.isRunAtWork || agent.state.fix) looks.push(app.clock.now().getTime() + lookPause(app, agent))
  return looks.length ? Math.min(...looks) : null
}

/** What ends a turn says so; this finds what was not said. */
function lookPause(app: App, { state }: HeldFixer): number {
  const pause = (app.clock.now().getTime() - state.since) / 2
  return Math.min(Math.max(pause, limits.checksLookMsMin), limits.checksLookMsMax)
}
