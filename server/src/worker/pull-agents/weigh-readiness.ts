import type { App } from '#app.ts'
import { limits } from '#base/limits.ts'
import { getCheckSettings } from '#domain/pull-agents/get-check-settings.ts'
import type { PullAgent, PullAgentPhase, SeenCheck } from '#domain/pull-agents/pull-agent.ts'
import { saveReadiness } from '#domain/pulls/save-readiness.ts'
import type { Observed } from './observe-pull.ts'

export type WeighReadiness = {
  agent: PullAgent
  seen: Observed
  /** Whether its run has done what it was asked for. */
  isDone: boolean
}

/** Where the agent is about to change the head, or to run its checks again. */
const changing = new Set<PullAgentPhase>(['detecting', 'rerunning', 'fixing'])
const green: ReadonlySet<string | null> = new Set(['success', 'neutral', 'skipped'])

/** Keeps whether a pull request is ready to be merged. Answers when to look again where that is not known yet. */
export async function weighReadiness(app: App, { agent, seen, isDone }: WeighReadiness): Promise<number | null> {
  const { organizationId, pullId, state } = agent
  const { pull, checks } = seen
  const isCandidate = isDone && checks !== null && !pull.draft && !state.fix && !changing.has(state.phase)
  const counted = isCandidate ? await countedOf(app, agent, checks) : []
  const now = app.clock.now().getTime()
  const isPending = counted.some(({ status }) => status !== 'completed')
  const isReady =
    isCandidate && !isPending && now >= state.quietUntil && counted.every(({ conclusion }) => green.has(conclusion))
  await saveReadiness(app.pool, { organizationId, pullId, commit: isReady ? pull.head.commit : null })
  if (isReady) app.announcer.announceRun(agent.runId)
  if (!isCandidate || isReady) return null
  if (isPending)
    return now + Math.min(Math.max((now - state.since) / 2, limits.checksLookMsMin), limits.checksLookMsMax)
  return now < state.quietUntil ? state.quietUntil : null
}

/** Those that people wait for in this repository. */
async function countedOf(app: App, agent: PullAgent, checks: SeenCheck[]): Promise<SeenCheck[]> {
  const { ignoredChecks } = (await getCheckSettings(app.pool, agent)).settings
  return checks.filter(({ name, app: by }) => !ignoredChecks.includes(name) && !ignoredChecks.includes(by))
}
