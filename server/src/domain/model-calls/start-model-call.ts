import type { Usage } from '#base/entry.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdSpentRun } from '#domain/budgets/hold-spent-run.ts'
import { LeaseLost, type Holder } from '#domain/steps/step.ts'

export type StartModelCall = {
  holder: Holder
  /** Names the call for ever in its run. */
  key: string
  /** What it will use at least. It counts from now on, so that calls made at once do not all spend the same money. */
  expected: Usage
}

/**
 * Lets a program in a run's sandbox ask a model, and stores that before it does. `spent`: the run's money is, and the run
 * is to be paused; nothing else was stored. Throws `LeaseLost`.
 */
export async function startModelCall(db: Db, { holder, key, expected }: StartModelCall): Promise<'started' | 'spent'> {
  const { organizationId, runId, turn, leaseId } = holder
  return inTransaction(db, async (tx) => {
    if (await holdSpentRun(tx, holder)) return 'spent'
    const { model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, priceSource } = expected
    const counted = [model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, priceSource]
    const started = await maybeOne(tx, start, [organizationId, runId, leaseId, turn, key, ...counted])
    if (!started) throw new LeaseLost(runId)
    return 'started'
  })
}

const start = {
  name: 'start-model-call',
  text: `
  with own as (
    update run_heads set input_tokens = input_tokens + $7, output_tokens = output_tokens + $10,
      cost_usd = case when $11::numeric is null then cost_usd else coalesce(cost_usd, 0) + $11 end,
      progress_at = now(), revision = revision + 1, updated_at = now()
    where organization_id = $1 and run_id = $2 and lease_id = $3 returning 1)
  insert into model_calls (organization_id, run_id, key, turn, model, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, cost_usd, price_source, is_estimated)
  select $1, $2, $5, $4, $6, $7, $8, $9, $10, $11, $12, true from own returning 1`,
}
