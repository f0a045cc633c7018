import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app/app.ts'
import { describeUnpriced } from '#base/models/describe-unpriced.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import type { Allotment, CallWish } from '#domain/runs/model-calls/allot-call.ts'
import { startModelCall, type StartedCall } from '#domain/runs/model-calls/start-model-call.ts'
import type { Visitor } from '#proxy/open-proxy.ts'
import { CallRefused } from './refuse-call.ts'

export type TakeMoney = { visitor: Visitor; key: string; wish: CallWish; signal: AbortSignal }

/** Calls of a run take their money one after the other, in the order in which they came. */
const inTurn = keyedMutex()

/**
 * Takes the money that a call may cost from what is left, waiting for it where calls under way have taken it all. Throws
 * `CallRefused` where there is none, or the price is not known.
 */
export async function takeMoney(
  app: Pick<App, 'pool'>,
  { visitor, key, wish, signal }: TakeMoney,
): Promise<Extract<Allotment, { outcome: 'started' }>> {
  const { holder } = visitor
  const until = performance.now() + modelLimits.modelMoneyWaitMs
  return inTurn(`${holder.organizationId}/${holder.runId}`, signal, async () => {
    for (;;) {
      const call = await startModelCall(app.pool, { holder, key, wish })
      if (call.outcome === 'started') return call
      if (call.outcome === 'spent') visitor.onSpent()
      if (call.outcome !== 'wait' || performance.now() > until) throw refusalOf(call, wish)
      await sleep(modelLimits.modelMoneyLookMs, undefined, { signal })
    }
  })
}

function refusalOf(call: StartedCall, { model }: CallWish): CallRefused {
  if (call.outcome === 'spent') {
    const { budgetId } = call.by
    const who =
      budgetId === null
        ? 'its max_cost_usd is raised'
        : `an ADMIN of the organization raises budget ${budgetId} or its period begins anew`
    const message = `The money of this run is spent. It is paused, and goes on when ${who}.`
    return new CallRefused({ status: 402, code: 'budget_reached', message })
  }
  if (call.outcome === 'unpriced') {
    const message = describeUnpriced(model)
    return new CallRefused({ status: 403, code: 'permission_error', message })
  }
  const message =
    'Other calls of this run or organization have taken the money that is left. Try again when they have ended.'
  return new CallRefused({ status: 429, code: 'rate_limit_error', message })
}
