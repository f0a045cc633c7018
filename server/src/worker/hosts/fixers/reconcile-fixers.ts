import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { advanceFixer, type Advanced } from '#domain/hosts/fixers/advance-fixer.ts'
import { claimFixer, type ClaimedAgent } from '#domain/hosts/fixers/claim-fixer.ts'
import { AgentClaimLost } from '#domain/hosts/fixer.ts'
import { releaseFixer } from '#domain/hosts/fixers/release-fixer.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { raceWithAbort } from '#base/concurrency/race-with-abort.ts'
import { doEffect } from './apply-effect.ts'
import { observePull } from './observe-pull.ts'
import { reportRun } from './report-run.ts'
import { weighReadiness } from './weigh-readiness.ts'

/**
 * Looks after some of the pull requests that are due: does what the agent of each was about to do, sees how things stand,
 * and does what follows from that. A look that fails is repeated, later each time. Answers whether there was any.
 */
export async function reconcileFixers(app: App, signal: AbortSignal): Promise<boolean> {
  const looks = Array.from({ length: limits.agentsAtOnceMax }, () => reconcileOne(app, signal))
  return (await Promise.all(looks)).includes(true)
}

async function reconcileOne(app: App, stop: AbortSignal): Promise<boolean> {
  const agent = await claimFixer(app.pool)
  if (!agent) return false
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.agentLookMs)])
  try {
    const lookAt = await raceWithAbort(tend(app, agent, signal), { signal })
    await releaseFixer(app.pool, { agent, dueAt: lookAt === null ? null : new Date(lookAt), isFailed: false })
  } catch (error) {
    if (error instanceof AgentClaimLost) return true
    if (!stop.aborted) {
      const told = { err: error, pullId: agent.pullId, runId: agent.runId }
      app.logger.warn(told, 'could not update a pull request')
    }
    const dueAt = stop.aborted ? app.clock.now() : retryAt(app, agent, error)
    await releaseFixer(app.pool, { agent, dueAt, isFailed: !stop.aborted })
  }
  return true
}

function retryAt(app: App, { tries }: ClaimedAgent, error: unknown): Date | null {
  if (error instanceof HostError && error.retryAt) return error.retryAt
  if (tries >= limits.agentTriesMax) return null
  const pause = Math.min(limits.agentRetryMs * 2 ** tries, limits.agentRetryMsMax)
  return new Date(app.clock.now().getTime() + pause)
}

/** When to look again; null: not before something happens. */
async function tend(app: App, claimed: ClaimedAgent, signal: AbortSignal): Promise<number | null> {
  const { pool } = app
  const { claimId } = claimed
  const repo = await getRepo(pool, claimed)
  const { number } = await getPull(pool, claimed)
  const looks: number[] = []
  let agent = claimed
  const take = (told: Advanced) => {
    agent = { ...told.agent, claimId }
    if (told.lookAt !== null) looks.push(told.lookAt)
    if (!told.isTaken) looks.push(app.clock.now().getTime() + limits.checksLookMsMin)
    return told.isTaken
  }
  const finishEffects = async () => {
    for (let effect = agent.effects[0]; effect; effect = agent.effects[0]) {
      signal.throwIfAborted()
      if (!take(await doEffect(app, { agent, repo, number, effect }))) return
    }
  }
  await finishEffects()
  const seen = await observePull(app, { agent, repo, number })
  take(await advanceFixer(pool, { ...agent, events: seen.events }))
  await finishEffects()
  const { title, status } = await getRun(pool, agent)
  await reportRun(app, { agent, repo, title: title ?? `run ${agent.runId}` })
  const readyAt = await weighReadiness(app, { agent, repo, seen, isDone: status === 'completed' })
  if (readyAt !== null) looks.push(readyAt)
  if (seen.isRunAtWork || agent.state.fix) looks.push(app.clock.now().getTime() + lookPause(app, agent))
  return looks.length ? Math.min(...looks) : null
}

/** What ends a turn says so; this finds what was not said. */
function lookPause(app: App, { state }: ClaimedAgent): number {
  const pause = (app.clock.now().getTime() - state.since) / 2
  return Math.min(Math.max(pause, limits.checksLookMsMin), limits.checksLookMsMax)
}
