import type { App } from '#app/app.ts'
import { limits as all } from '#base/limits.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { holdSpentRun } from '#domain/runs/budgets/hold-spent-run.ts'
import { getSettings, type RunSettings } from '#domain/runs/runs/get-settings.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'

export type TurnLimits = Disposable & {
  /** Aborted when the turn must end at once, for whatever reason. */
  readonly signal: AbortSignal
  /** As it is now. */
  readonly timeoutMinutes: number
  /** Ends the turn from inside. */
  halt(reason: TurnStopped | RunFailure): void
  /** What people may have changed since: read anew, and the deadline moved with it. */
  readSettings(): Promise<RunSettings>
  /** No limit in money applied to the run when its settings were read a moment ago. */
  readonly isUnlimited: boolean
  /** Has the run paused where its money is spent. Called before each model call. */
  checkBudget(): Promise<void>
  /** From now on the engine is at work, and has taken so many steps before. */
  beginEngine(engine: { stepsTaken: number }): void
  /** Ends the turn where it has taken too many steps, or its run's log is full. Called for each step that begins. */
  countStep(step: { logBytes: number }): void
  /** Something has happened: the turn is not stuck. */
  markProgress(): void
}

export type TurnBounds = { turnStepsMax: number; stuckMs: number; runLogBytesMax: number }
export type LimitTurn = { holder: Holder; facts: TurnFacts; stop: AbortSignal; bounds?: TurnBounds }

/** What ends a turn besides its engine: a stop from outside, its time, its money, its bounds, a pause, a question. */
export function limitTurn(
  app: Pick<App, 'pool' | 'clock'>,
  { holder, facts, stop, bounds = all }: LimitTurn,
): TurnLimits {
  const halted = new AbortController()
  const stuck = watchProgress(bounds.stuckMs, (error) => halted.abort(error))
  let steps = 0
  let timeoutMinutes = facts.timeoutMinutes
  let unlimitedUntil = 0
  const isUnlimited = () => performance.now() < unlimitedUntil
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    clearTimeout(timer)
    const leftMs = facts.turnStartedAt.getTime() + timeoutMinutes * 60_000 - app.clock.now().getTime()
    timer = setTimeout(() => void expire(), Math.max(0, leftMs))
  }
  const readSettings = async () => {
    const askedAt = performance.now()
    const settings = await getSettings(app.pool, holder)
    unlimitedUntil = settings.isLimited ? 0 : askedAt + modelLimits.modelUnlimitedMs
    if (settings.timeoutMinutes !== timeoutMinutes && !halted.signal.aborted) {
      timeoutMinutes = settings.timeoutMinutes
      arm()
    }
    return settings
  }
  const expire = async () => {
    const known = timeoutMinutes
    // It may have been given more time; then this reading has set the timer anew.
    const settings = await readSettings().catch(() => undefined)
    if (!settings || settings.timeoutMinutes <= known) halted.abort(new TurnStopped('timeout'))
  }
  arm()
  return {
    signal: AbortSignal.any([stop, halted.signal]),
    get timeoutMinutes() {
      return timeoutMinutes
    },
    halt: (reason) => halted.abort(reason),
    readSettings,
    get isUnlimited() {
      return isUnlimited()
    },
    checkBudget: async () => {
      if (!isUnlimited() && (await holdSpentRun(app.pool, holder))) halted.abort(new TurnStopped('paused'))
    },
    beginEngine: ({ stepsTaken }) => {
      steps = stepsTaken
      stuck.begin()
    },
    countStep: ({ logBytes }) => {
      stuck.mark()
      steps++
      const failure = overBounds({ steps, logBytes }, bounds)
      if (failure) halted.abort(failure)
    },
    markProgress: stuck.mark,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      stuck.end()
    },
  }
}

function overBounds(turn: { steps: number; logBytes: number }, bounds: TurnBounds): RunFailure | undefined {
  if (turn.steps > bounds.turnStepsMax) {
    const message = `The turn has taken ${bounds.turnStepsMax} steps, the most that one may take, without coming to an end.`
    return new RunFailure('max_steps_reached', message)
  }
  if (turn.logBytes < bounds.runLogBytesMax) return undefined
  const message = `The log of the run has grown to ${Math.round(turn.logBytes / 2 ** 20)} MiB, the most that it may hold. Start a new run, or ask whoever runs the service to raise the limit (RUNWRIGHT_STORAGE_LOG_MIB).`
  return new RunFailure('output_limit_reached', message)
}

/** Looks once in a while rather than set a timer for each sign of life, of which there are many. */
function watchProgress(stuckMs: number, onStuck: (error: RunFailure) => void) {
  let markedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const mark = () => void (markedAt = performance.now())
  const look = () => {
    const leftMs = markedAt + stuckMs - performance.now()
    if (leftMs > 0) return void (timer = setTimeout(look, leftMs))
    const long = stuckMs < 60_000 ? `${stuckMs / 1000} seconds` : `${Math.round(stuckMs / 60_000)} minutes`
    onStuck(new RunFailure('stuck', `For ${long} no step was done and nothing was printed.`, { retryable: true }))
  }
  return {
    begin: () => {
      mark()
      look()
    },
    mark,
    end: () => clearTimeout(timer),
  }
}
