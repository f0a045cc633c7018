import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockHeldRun, wantPause } from '#domain/runs/budgets/hold-spent-run.ts'
import { listLimitsInMoney, lockBudgets, type LimitInMoney } from '#domain/runs/budgets/limit-in-money.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { allotCall, type Allotment, type CallWish } from './allot-call.ts'

export type StartModelCall = {
  holder: Holder
  /** Names the call for ever in its run. */
  key: string
  wish: CallWish
  /** Whether it counts from now on as what it will likely use; one of an engine counts with its step, and takes money where that
   *  is limited. */
  isCounted?: boolean
  /** It is known already that no limit in money applies to the run. */
  isUnlimited?: boolean
}

export type StartedCall = Allotment & { limits: LimitInMoney[] }

/**
 * Lets a model be asked for a run, and takes the money that this may cost, in one transaction: calls made at once, and in
 * runs under one budget, are given what is left one after the other. `spent`: there is nothing left, and the run is to be
 * paused. But for `started` nothing was stored. Throws `LeaseLost`, though not for a call of an engine that nothing limits: its
 * step stands in the way of who has lost the run.
 */
export async function startModelCall(
  db: Db,
  { holder, key, wish, isCounted = true, isUnlimited = false }: StartModelCall,
): Promise<StartedCall> {
  // Where nothing is to be stored, nothing is locked, as a lock costs a commit.
  if (!isCounted && (isUnlimited || (await listLimitsInMoney(db, holder)).length === 0))
    return { ...allotCall(wish, []), limits: [] }
  return inTransaction(db, async (tx) => {
    // Sent together; the last sees what those have taken who had the locks before.
    const [, , limits] = await Promise.all([
      lockBudgets(tx, holder),
      lockHeldRun(tx, holder),
      listLimitsInMoney(tx, holder),
    ])
    const allotment = allotCall(wish, limits)
    if (allotment.outcome === 'spent') await wantPause(tx, holder)
    if (allotment.outcome === 'started' && (isCounted || limits.length))
      await store(tx, { holder, key, isCounted, allotment })
    return { ...allotment, limits }
  })
}

type Store = Required<Omit<StartModelCall, 'wish' | 'isUnlimited'>> & {
  allotment: Extract<Allotment, { outcome: 'started' }>
}

async function store(tx: Db, { holder, key, isCounted, allotment: { expected, most } }: Store): Promise<void> {
  const { organizationId, runId, turn, leaseId } = holder
  const { model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, priceSource } = expected
  const counted = isCounted
    ? [inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, priceSource]
    : [0, 0, 0, 0, null, null]
  const values = [organizationId, runId, leaseId, turn, key, model, ...counted, most.costUsd]
  if (!(await maybeOne(tx, start, values))) throw new LeaseLost(runId)
}

const start = {
  name: 'start-model-call',
  text: `
  with own as (
    update run_heads set input_tokens = input_tokens + $7, output_tokens = output_tokens + $10, cache_read_tokens = cache_read_tokens + $8,
      cost_usd = case when $11::numeric is null then cost_usd else coalesce(cost_usd, 0) + $11 end,
      progress_at = now(), revision = revision + 1, updated_at = now()
    where organization_id = $1 and run_id = $2 and lease_id = $3 returning 1)
  insert into model_calls (organization_id, run_id, key, turn, model, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, cost_usd, price_source, is_estimated, reserved_usd, lease_id)
  select $1, $2, $5, $4, $6, $7, $8, $9, $10, $11, $12, true, $13, $3::uuid from own returning 1`,
}
