import type { LogSize, Usage } from '#base/entry.ts'
import type { Json } from '#base/json.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import { logLines } from '#domain/runs/logs/append-log.ts'
import type { KeptEntry } from '#domain/runs/logs/keep-long-texts.ts'
import { saveLongTexts } from '#domain/runs/logs/save-long-texts.ts'
import { takingLog } from '#domain/runs/logs/taking-log.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type FinishStep = {
  holder: Holder
  step: number
  response: Json
  entries: KeptEntry[]
  /** Whether the run needs these entries to end properly: then they are refused by no bound. */
  isTail?: boolean
  usage?: Usage | undefined
  mask: Mask
}

/**
 * Stores what a step did, with the log entries that tell of it, in one statement. Sent again after a commit whose
 * answer was lost, it does nothing. Answers how long the run's log is then, where it wrote. Throws `LeaseLost`, and `LogRefused`
 * where the log has no room for the entries; then nothing is stored.
 */
export async function finishStep(
  db: Db,
  { holder, step, response, entries, isTail = false, usage, mask }: FinishStep,
): Promise<LogSize | undefined> {
  const { organizationId, runId, turn, leaseId } = holder
  const lines = logLines(entries, { turn, mask })
  const values = [
    organizationId,
    runId,
    leaseId,
    step,
    // Only what PostgreSQL cannot hold is changed: a model's own answer must go back to it as it came.
    JSON.stringify(cleanJson(response, (text) => text)),
    usage?.inputTokens ?? 0,
    usage?.outputTokens ?? 0,
    usage?.costUsd ?? null,
    lines.messageTypes,
    lines.bodies,
    lines.bytes,
    usage?.model ?? null,
    usage?.cacheReadTokens ?? 0,
    usage?.cacheWriteTokens ?? 0,
    usage?.priceSource ?? null,
    isTail,
  ]
  const write = async (tx: Db) => {
    const size = await maybeOne<LogSize>(tx, finish, values)
    if (size) await saveLongTexts(tx, { holder, lines })
    return size
  }
  // Nearly always it is one statement, which needs no more.
  const written = await takingLog(() => (lines.kept.length ? inTransaction(db, write) : write(db)))
  if (written) return written
  const known = await maybeOne<{ state: string }>(
    db,
    'select state from steps where organization_id = $1 and run_id = $2 and step = $3 and lease_id = $4',
    [organizationId, runId, step, leaseId],
  )
  if (known?.state !== 'done') throw new LeaseLost(runId)
  return undefined
}

const finish = {
  name: 'finish-step',
  text: `
  with own as (
    update run_heads set next_seq = next_seq + cardinality($9::text[]), revision = revision + 1, claims = 0,
      log_bytes = log_bytes + $11, log_held = case when $16 then greatest(log_held, log_bytes + $11) else log_held end,
      input_tokens = input_tokens + $6, output_tokens = output_tokens + $7, cache_read_tokens = cache_read_tokens + $13,
      cost_usd = case when $8::numeric is null then cost_usd else coalesce(cost_usd, 0) + $8 end,
      progress_at = now(), updated_at = now()
    where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel'
      and exists (select from steps where organization_id = $1 and run_id = $2 and step = $4 and state = 'started')
    returning next_seq - cardinality($9::text[]) as seq, next_seq - 1 as entries, log_bytes as bytes),
  done as (
    update steps set state = 'done', shown = null, response = $5::json, input_tokens = $6, output_tokens = $7, cost_usd = $8, finished_at = now(),
      seq = case when cardinality($9::text[]) > 0 then own.seq end
    from own where steps.organization_id = $1 and steps.run_id = $2 and steps.step = $4 returning steps.key, steps.turn),
  used as (
    insert into model_calls (organization_id, run_id, key, turn, model, input_tokens, cache_read_tokens, cache_write_tokens,
      output_tokens, cost_usd, price_source, ended_at)
    select $1, $2, done.key, done.turn, $12, $6, $13, $14, $7, $8, $15, now() from done where $12::text is not null),
  named as (
    update runs set model_used = $12 from done
    where organization_id = $1 and id = $2 and $12::text is not null and model_used is distinct from $12),
  written as (
    insert into log_entries (organization_id, run_id, seq, message_type, body)
    select $1, $2, own.seq + (line.n - 1)::int, line.message_type, line.body::json
    from own, unnest($9::text[], $10::text[]) with ordinality as line (message_type, body, n))
  select entries, bytes from own`,
}
