import type { Usage } from '#base/entry.ts'
import type { Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

export type FinishModelCall = RunIds & {
  key: string
  /** Null: nothing was used, and it is as if the call had not been made. */
  usage: Usage | null
  /** Whether what the provider says was not all there. */
  isEstimated: boolean
}

/**
 * Puts what a call has used in the place of what it was expected to. Asks for no lease: the money is spent, whoever holds
 * the run by now. Sent again, it does nothing.
 */
export async function finishModelCall(
  db: Db,
  { organizationId, runId, key, usage, isEstimated }: FinishModelCall,
): Promise<void> {
  if (!usage) return void (await db.query({ ...takeBack, values: [organizationId, runId, key] }))
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, priceSource } = usage
  const counted = [inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, priceSource, isEstimated]
  await db.query({ ...finish, values: [organizationId, runId, key, ...counted] })
}

const open = `
  open as (
    select * from model_calls where organization_id = $1 and run_id = $2 and key = $3 and ended_at is null for update)`

const takeBack = {
  name: 'take-back-model-call',
  text: `
  with ${open},
  head as (
    update run_heads h set input_tokens = h.input_tokens - o.input_tokens, output_tokens = h.output_tokens - o.output_tokens,
      cache_read_tokens = h.cache_read_tokens - o.cache_read_tokens,
      cost_usd = case when o.cost_usd is null then h.cost_usd
        -- The only call of a run that cost something leaves no cost behind.
        else nullif(h.cost_usd - o.cost_usd, 0) end,
      revision = h.revision + 1, updated_at = now()
    from open o where h.organization_id = o.organization_id and h.run_id = o.run_id)
  delete from model_calls m using open o
  where m.organization_id = o.organization_id and m.run_id = o.run_id and m.key = o.key`,
}

const finish = {
  name: 'finish-model-call',
  text: `
  with ${open},
  head as (
    update run_heads h set input_tokens = h.input_tokens - o.input_tokens + $4,
      output_tokens = h.output_tokens - o.output_tokens + $7, cache_read_tokens = h.cache_read_tokens - o.cache_read_tokens + $5,
      cost_usd = case when $8::numeric is null and o.cost_usd is null then h.cost_usd
        else coalesce(h.cost_usd, 0) - coalesce(o.cost_usd, 0) + coalesce($8, 0) end,
      progress_at = now(), revision = h.revision + 1, updated_at = now()
    from open o where h.organization_id = o.organization_id and h.run_id = o.run_id)
  update model_calls m set input_tokens = $4, cache_read_tokens = $5, cache_write_tokens = $6, output_tokens = $7,
    cost_usd = $8, price_source = $9, is_estimated = $10, ended_at = now()
  from open o where m.organization_id = o.organization_id and m.run_id = o.run_id and m.key = o.key`,
}
