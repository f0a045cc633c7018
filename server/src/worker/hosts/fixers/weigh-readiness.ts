import type { App } from '#app/app.ts'
import { passedConclusions } from '#base/hosts/host-facts.ts'
import { limits } from '#base/limits.ts'
import { getCheckSettings } from '#domain/hosts/fixers/get-check-settings.ts'
import { advanceFixer } from '#domain/hosts/fixers/advance-fixer.ts'
import type { HeldFixer } from '#domain/hosts/fixers/begin-look.ts'
import type { Fixer, FixerPhase, SeenCheck } from '#domain/hosts/fixer.ts'
import { saveReadiness } from '#domain/hosts/pulls/save-readiness.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { isRefused } from './apply-effect.ts'
import type { Observed } from './observe-pull.ts'

export type WeighReadiness = {
  agent: HeldFixer
  repo: Repo
  seen: Observed
  /** Whether its run has done what it was asked for. */
  isDone: boolean
}

/** Where the agent is about to change the head, or to run its checks again. */
const changing = new Set<FixerPhase>(['detecting', 'rerunning', 'fixing'])

/**
 * Keeps whether a pull request is ready to be merged, and ends its time as a draft where it was opened as one until then.
 * Answers that, and when to look again where it is not known yet.
 */
export async function weighReadiness(app: App, request: WeighReadiness): Promise<Weighed> {
  const { organizationId, pullId, runId } = request.agent
  const weighed = await weigh(app, request)
  const { lookAt } = weighed
  const isReady = weighed.isReady && (!request.seen.pull.draft || (await endDraft(app, request)))
  const commit = isReady ? request.seen.pull.head.commit : null
  await saveReadiness(app.pool, { organizationId, pullId, commit })
  if (isReady) app.notifier.notifyRun(runId)
  return { isReady, lookAt }
}

type Weighed = { isReady: boolean; lookAt: number | null }
const not = (lookAt: number | null): Weighed => ({ isReady: false, lookAt })

async function weigh(app: App, { agent, seen, isDone }: WeighReadiness): Promise<Weighed> {
  const { phase, fix, since, quietUntil } = agent.state
  const { pull, checks, mergeability } = seen
  if (!isDone || checks === null || (pull.draft && !agent.state.isOurDraft) || fix || changing.has(phase))
    return not(null)
  const counted = await countedOf(app, agent, checks)
  const now = app.clock.now().getTime()
  if (counted.some(({ status }) => status !== 'completed'))
    return not(now + Math.min(Math.max((now - since) / 2, limits.checksLookMsMin), limits.checksLookMsMax))
  if (now < quietUntil) return not(quietUntil)
  if (!counted.every(({ conclusion }) => passedConclusions.has(conclusion))) return not(null)
  return { isReady: mergeability === 'clean', lookAt: null }
}

/** False where the host refuses that. */
async function endDraft(app: App, { agent, repo, seen }: WeighReadiness): Promise<boolean> {
  try {
    await app.hosts.forge(repo).updatePull(repo, seen.pull.number, { state: 'ready_for_review' })
  } catch (error) {
    if (!isRefused(error, agent.job)) throw error
    app.logger.info({ err: error, runId: agent.runId }, 'a draft could not be made ready for review')
    return false
  }
  // Who makes it a draft from now on wants it to be one.
  await advanceFixer(app.pool, { ...agent, events: [{ type: 'made_ready', at: app.clock.now().getTime() }] })
  return true
}

/** Those that people wait for in this repository. */
async function countedOf(app: App, agent: Fixer, checks: SeenCheck[]): Promise<SeenCheck[]> {
  const { ignoredChecks } = (await getCheckSettings(app.pool, agent)).settings
  return checks.filter(({ name, app: by }) => !ignoredChecks.includes(name) && !ignoredChecks.includes(by))
}
