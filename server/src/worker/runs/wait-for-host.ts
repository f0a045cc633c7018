import { GitHostUnreachable, HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import type { Entry } from '#base/entry.ts'
import { limits } from '#base/limits.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { HostWait } from '#domain/runs/host-wait.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { recordHostWait } from '#domain/runs/runs/record-host-wait.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'
import { keepWorkTree } from './steps/keep-work-tree.ts'
import type { Workspace } from './steps/open-workspace.ts'
import { durableNote } from './turn/durable-note.ts'

export type WaitForHost = {
  holder: Holder
  facts: Pick<TurnFacts, 'repo'>
  workspace: Workspace | undefined
  /** Whether the engine is done, so that what fails is to deliver its work. */
  isAnswered: boolean
}

/**
 * Throws where the code host of a run's repository has failed the run, which then waits for it without a worker: finished work
 * until it is delivered, or until somebody has to look; a run that has done nothing yet for less long. Returns where it is
 * another failure, or that time is over.
 */
export async function waitForHost(app: App, error: unknown, options: WaitForHost): Promise<void> {
  const { holder, facts, workspace, isAnswered } = options
  // The built-in host is this service itself.
  if (!(error instanceof HostError) || error instanceof GitHostUnreachable) return
  if (!facts.repo || facts.repo.host === 'local') return
  const patienceMs = patienceOf(error, isAnswered)
  if (patienceMs === undefined) return
  const { code, retryInMs } = error
  const wait = await recordHostWait(app.pool, {
    holder,
    refused: { for: isAnswered ? 'deliver' : 'begin', code, message: app.mask(error.message) },
    patienceMs: Math.min(patienceMs, app.config.hostWaitMs),
    retryInMs,
    now: app.clock.now(),
  })
  if (wait.nextTryAt === null && !isAnswered) return
  app.logger.info({ event: 'run_waits_for_host', err: error, runId: holder.runId, ...wait }, 'a run waits for its host')
  // Whoever goes on may do so on another machine.
  if (wait.tries === 1 && isAnswered && workspace) await keepWorkTree(app, { holder, workspace })
  if (wait.tries === 1 || wait.nextTryAt === null) await tell(app, { holder, wait })
  throw new TurnStopped('host')
}

/** How long the host is asked again; undefined where that would not help. */
function patienceOf({ code, isFinal }: HostError, isAnswered: boolean): number | undefined {
  if (isFinal) return undefined
  const needsPerson = code === 'unauthorized' || code === 'forbidden'
  if (!needsPerson) return isAnswered ? Infinity : limits.hostWaitToBeginMs
  return isAnswered ? limits.hostWaitForPersonMs : limits.hostWaitRefusedToBeginMs
}

/** Of the tries in between, the run itself says how many there were. */
async function tell(app: App, { holder, wait }: { holder: Holder; wait: HostWait }): Promise<void> {
  const isSpent = wait.nextTryAt === null
  const what =
    wait.for === 'deliver' ? 'The work is done and kept, but it is not delivered yet.' : 'The work could not begin yet.'
  const next = isSpent
    ? 'It is not tried again by itself: fix what the message says, then continue the run.'
    : 'It is tried again by itself.'
  const { code, message, tries, since } = wait
  const entry: Entry = {
    messageType: 'PLAN_EVALUATION',
    thought: `${what} ${message} ${next}`,
    observation: { waiting_for: 'code_host', code, message, tries, since },
  }
  const key = `t${holder.turn}/host-wait/${since}${isSpent ? '/end' : ''}`
  await durableNote(app, { holder, key, entries: [entry], isTail: true })
}
