import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError, type ModelWish } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import type { Usage } from '#base/entry.ts'
import { describeUnpriced } from '#base/models/describe-unpriced.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { finishModelCall } from '#domain/runs/model-calls/finish-model-call.ts'
import { startModelCall } from '#domain/runs/model-calls/start-model-call.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { TurnLimits } from './limit-turn.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'

export type Spending = {
  /** Takes what a call of the engine may cost, and answers how much the model may write; null: as much as it likes. */
  take(wish: ModelWish): Promise<number | null>
  /** What was used is stored with the step; what was taken is free again. */
  release(): Promise<void>
  /** The call was cut off: it counts as what it may have cost. */
  count(): Promise<void>
}

/**
 * The money of an engine's own calls: each takes what it may cost before it begins, and gives it back once what it used is
 * stored. It waits where others under the same budget have taken all that is left, and where nothing is left the run is paused.
 */
export function spendMoney(
  app: Pick<App, 'pool'>,
  { holder, limits }: { holder: Holder; limits: Pick<TurnLimits, 'signal' | 'halt' | 'isUnlimited'> },
): Spending {
  let held: { key: string; most: Usage } | undefined
  const settle = async (usage: Usage | null) => {
    if (!held) return
    const { key } = held
    held = undefined
    await finishModelCall(app.pool, { ...holder, key, usage, isEstimated: true })
  }
  const take = async (wish: ModelWish) => {
    // Of a try that failed nothing is known.
    await settle(null)
    const key = `engine/${randomUUID()}`
    for (;;) {
      limits.signal.throwIfAborted()
      const asked = { ...wish, answers: 1 }
      const { isUnlimited } = limits
      const call = await startModelCall(app.pool, { holder, key, wish: asked, isCounted: false, isUnlimited })
      if (call.outcome === 'started') {
        if (call.limits.length) held = { key, most: call.most }
        return call.outputTokens
      }
      if (call.outcome === 'unpriced') throw unpriced(wish)
      if (call.outcome === 'spent') limits.halt(new TurnStopped('paused'))
      else await sleep(modelLimits.modelMoneyLookMs, undefined, { signal: limits.signal }).catch(() => {})
    }
  }
  return { take, release: () => settle(null), count: () => settle(held?.most ?? null) }
}

function unpriced({ model }: ModelWish): EngineError {
  return new EngineError('no_model', describeUnpriced(model))
}
