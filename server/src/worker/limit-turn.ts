import type { App } from '#app.ts'
import { getSettings, type RunSettings } from '#domain/runs/get-settings.ts'
import type { TurnFacts } from '#domain/runs/get-turn.ts'
import type { Holder } from '#domain/steps/step.ts'
import { RunFailure } from './run-failure.ts'
import { TurnStopped } from './turn-stopped.ts'

export type TurnLimits = Disposable & {
  /** Aborted when the turn must end at once, for whatever reason. */
  readonly signal: AbortSignal
  /** As it is now. */
  readonly timeoutMinutes: number
  /** Ends the turn from inside. */
  halt(reason: TurnStopped | RunFailure): void
  /** What people may have changed since: read anew, and the deadline moved with it. */
  readSettings(): Promise<RunSettings>
  /** Ends the turn where its money is spent. Called before each model call. */
  checkBudget(): Promise<void>
}

export type LimitTurn = { holder: Holder; facts: TurnFacts; stop: AbortSignal }

/** What ends a turn besides its engine: a stop from outside, its time, its money, a pause. */
export function limitTurn(app: Pick<App, 'pool' | 'clock'>, { holder, facts, stop }: LimitTurn): TurnLimits {
  const halted = new AbortController()
  let timeoutMinutes = facts.timeoutMinutes
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    clearTimeout(timer)
    const leftMs = facts.turnStartedAt.getTime() + timeoutMinutes * 60_000 - app.clock.now().getTime()
    timer = setTimeout(() => void expire(), Math.max(0, leftMs))
  }
  const readSettings = async () => {
    const settings = await getSettings(app.pool, holder)
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
    checkBudget: async () => {
      const { costUsd, maxCostUsd } = await readSettings()
      if (maxCostUsd === null || (costUsd ?? 0) < maxCostUsd) return
      const message = `The run has cost ${(costUsd ?? 0).toFixed(2)} USD and may cost ${maxCostUsd.toFixed(2)}. Raise max_cost_usd and resume it to go on.`
      halted.abort(new RunFailure('budget_reached', message, { retryable: true }))
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
