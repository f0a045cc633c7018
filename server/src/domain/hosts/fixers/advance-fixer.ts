import { AppError } from '#base/errors.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { MessageEntry } from '#domain/runs/messages/message.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import type { PullSettings } from '#domain/repos/pull-settings.ts'
import { getPullSettings } from '#domain/repos/repos/get-pull-settings.ts'
import type { CheckSettings } from './check-settings.ts'
import { getCheckSettings } from './get-check-settings.ts'
import { isRunAtWork } from './is-run-at-work.ts'
import {
  fixerColumns,
  type InsideEffect,
  type OutsideEffect,
  type Fixer,
  type FixerEffect,
  type FixerEvent,
} from '#domain/hosts/fixer.ts'
import { stepFixer, type StepSettings } from './step-fixer.ts'

export type StartFix = Extract<InsideEffect, { do: 'start_fix' }>
export type AdvanceFixer = {
  organizationId: number
  pullId: number
  events: FixerEvent[]
  /** By which a worker looks after it; left out where people tell it something. */
  job?: ClaimedJob
  /** Whether the first of its effects is done, and what has come of it is among the events. */
  isEffectDone?: boolean
  /** What the run is told that is to fix checks; needed where checks were diagnosed. */
  writeFix?: (fix: StartFix) => { prompt: string; entry: MessageEntry }
  /** Who has told it; null: nobody of ours. */
  userId?: number | null
}
export type Advanced = {
  agent: Fixer
  /** When it is to be looked at again; null: not before something happens. */
  lookAt: number | null
  /** False where its run is at work: then nothing has changed, and nothing is fixed yet. */
  isTaken: boolean
}

/**
 * Tells the agent of a pull request what has happened, and stores where it stands by that. The turn that it begins or stops
 * is begun or stopped with it, or not at all; what it does elsewhere is kept as what is to be done.
 * Throws `JobLost`, `pull_not_found`.
 */
export async function advanceFixer(db: Db, request: AdvanceFixer): Promise<Advanced> {
  const { job, isEffectDone = false, events } = request
  return inTransaction(db, async (tx) => {
    const agent = await lockAgent(tx, request)
    if (job) await holdJob(tx, job)
    // One turn at a time: what people ask of the run comes first.
    if (events.some(mayBegin) && (await isRunAtWork(tx, agent))) return { agent, lookAt: null, isTaken: false }
    const { settings } = await getCheckSettings(tx, agent)
    const advancing = new Telling(tx, agent, request, stepSettings(settings, await getPullSettings(tx, agent)))
    if (isEffectDone) agent.effects.shift()
    for (const event of events) await advancing.tell(event)
    await save(tx, agent)
    if (!job) await requestJob(tx, { organizationId: agent.organizationId, kind: 'fixer', ref: agent.pullId })
    return { agent, lookAt: advancing.lookAt, isTaken: true }
  })
}

/** Whether a turn may come of it. */
const mayBegin = (event: FixerEvent): boolean =>
  event.type === 'diagnosed' || (event.type === 'compared' && event.mergeability === 'conflicts')

async function lockAgent(tx: Db, { organizationId, pullId }: AdvanceFixer): Promise<Fixer> {
  const agent = await maybeOne<Fixer>(
    tx,
    `select ${fixerColumns} from pull_agents where organization_id = $1 and pull_id = $2 for update`,
    [organizationId, pullId],
  )
  if (!agent) throw new AppError('pull_not_found')
  return agent
}

async function save(tx: Db, { organizationId, pullId, state, effects }: Fixer): Promise<void> {
  await tx.query('update pull_agents set state = $3, effects = $4 where organization_id = $1 and pull_id = $2', [
    organizationId,
    pullId,
    JSON.stringify(state),
    JSON.stringify(effects),
  ])
}

function stepSettings(settings: CheckSettings, { updateBranch, deleteBranch }: PullSettings): StepSettings {
  const { fixMsMax, checksLookMsMin: lookMsMin, checksLookMsMax: lookMsMax } = limits
  const { programFixesMax, updatesMax } = hostLimits
  const bounds = { fixMsMax, programFixesMax, updatesMax, lookMsMin, lookMsMax }
  return { ...settings, ...bounds, settleMs: settings.settleSeconds * 1000, updateBranch, deleteBranch }
}

class Telling {
  readonly #tx: Db
  readonly #agent: Fixer
  readonly #request: AdvanceFixer
  readonly #settings: StepSettings
  lookAt: number | null = null

  constructor(tx: Db, agent: Fixer, request: AdvanceFixer, settings: StepSettings) {
    this.#tx = tx
    this.#agent = agent
    this.#request = request
    this.#settings = settings
  }

  async tell(event: FixerEvent): Promise<void> {
    const { state, effects } = stepFixer(this.#agent.state, event, this.#settings)
    this.#agent.state = state
    for (const effect of effects) {
      if (isOutside(effect)) this.#agent.effects.push(effect)
      else if (effect.do === 'look') this.lookAt = Math.min(effect.at, this.lookAt ?? effect.at)
      else if (effect.do === 'stop_fix') await this.#stopFix(effect.turn)
      else await this.tell(await this.#startFix(effect, event.at))
    }
  }

  async #startFix(fix: StartFix, at: number): Promise<FixerEvent> {
    const { writeFix, userId = null } = this.#request
    const { organizationId, runId } = this.#agent
    const { attempt } = fix
    if (!writeFix) throw new Error('nobody says what is to be fixed')
    try {
      const { turn } = await resumeRun(this.#tx, { organizationId, runId, userId, ...writeFix(fix) })
      return { type: 'fix_begun', attempt, turn, at }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { type: 'fix_ended', attempt, pushed: null, isStopped: false, reason: error.message, at }
    }
  }

  async #stopFix(turn: number | null): Promise<void> {
    const { organizationId, runId } = this.#agent
    const head = await lockRunHead(this.#tx, { organizationId, runId })
    // A later turn is one that people have asked for.
    if (head.turn !== turn || hasEnded(head)) return
    await cancelRun(this.#tx, { organizationId, runId, userId: this.#request.userId ?? null })
  }
}

function isOutside(effect: FixerEffect): effect is OutsideEffect {
  return effect.do !== 'look' && effect.do !== 'start_fix' && effect.do !== 'stop_fix'
}
