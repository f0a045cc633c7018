import type { LogSize } from '#base/entry.ts'
import type { Json } from '#base/json.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import type { KeptEntry } from '#domain/runs/logs/keep-long-texts.ts'
import { budgetReached } from '#domain/runs/budgets/hold-spent-run.ts'
import { findNextMessage } from '#domain/runs/messages/find-next-message.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import type { RunError, RunStatus } from '#domain/runs/run.ts'
import { lockRunHead, type RunHead } from '#domain/runs/run-head.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

export type TurnEnd =
  | { status: 'completed'; result: string; summary: string | null; resultJson?: Json; statusDetail?: string | null }
  | { status: 'failed'; error: RunError }
  | { status: 'cancelled' }
/** How it has ended, whatever was wanted; `code` is that of a failure. */
export type EndedTurn = { status: TurnEnd['status']; code: string | null; log: LogSize }
export type FinishTurn = { holder: Holder; end: TurnEnd; entries: KeptEntry[]; mask: Mask }

/**
 * Ends a turn: status, answer, last log entries and the free slot in one transaction. A stop that was asked for wins
 * over any other end. A message that nobody has read yet starts the next turn, after a pause that was asked for; one that came
 * after that, or after a stop, starts it at once.
 * Throws `LeaseLost`.
 */
export async function finishTurn(db: Db, { holder, end, entries, mask }: FinishTurn): Promise<EndedTurn> {
  const { organizationId, runId, turn, leaseId } = holder
  const { last, log } = await inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    if (head.leaseId !== leaseId) throw new LeaseLost(runId)
    const last = head.wanted === 'cancel' ? ({ status: 'cancelled' } as const) : end
    if (last === end && entries.length)
      await appendLog(tx, { organizationId, runId, leaseId, lines: logLines(entries, { turn, mask }) })
    const next = await findNextMessage(tx, { organizationId, runId, turn, isAfterStop: !goesOnAfter(last) })
    const { status, statusDetail } = standingAfter(last, { next, head })
    if (next) await wakeWorkers(tx, { queued: true })
    // Not waited for here, so that the commit is sent along with it; should it fail, nothing is committed.
    const log = one<LogSize>(tx, endTurn, [
      organizationId,
      runId,
      status,
      statusDetail,
      next?.n ?? null,
      last.status === 'completed',
      ...(last.status === 'completed' ? resultOf(last, mask) : [null, null, null]),
      last.status === 'failed' ? JSON.stringify({ ...last.error, message: mask(last.error.message) }) : null,
    ])
    log.catch(() => {})
    return { last, log }
  })
  return { status: last.status, code: last.status === 'failed' ? last.error.code : null, log: await log }
}

function resultOf({ result, summary, resultJson }: TurnEnd & { status: 'completed' }, mask: Mask): (string | null)[] {
  const json = resultJson == null ? null : JSON.stringify(cleanJson(resultJson, mask))
  return [mask(result), summary === null ? null : mask(summary), json]
}

/**
 * In one statement, right before the commit: the row of the slot is one for all runs of an organization, and whoever ends
 * or begins another of them waits for as long as it is locked.
 */
const endTurn = {
  name: 'end-turn',
  text: `
  with head as (
    update run_heads set status = $3, status_detail = $4, held_at = case when $3 = 'paused' then now() end,
      turn = turn + case when $5::int is null then 0 else 1 end,
      turn_started_at = case when $5::int is null then turn_started_at end, claims = 0, node_faults = 0, host_wait = null, run_wait = null, wanted = null,
      wanted_by = case when $5::int is null then wanted_by end, worker_id = null,
      lease_id = null, revision = revision + 1, updated_at = now()
    where organization_id = $1 and run_id = $2 returning turn, next_seq - 1 as entries, log_bytes as bytes),
  run as (
    update runs set result = case when $6 then $7 else result end, summary = case when $6 then $8 else summary end,
      result_json = case when $6 then $9::json else result_json end,
      finished_at = case when $5::int is null then now() else finished_at end,
      error = case when $5::int is null then $10::jsonb else error end
    where organization_id = $1 and id = $2),
  message as (
    update messages set turn = head.turn from head where organization_id = $1 and run_id = $2 and n = $5::int),
  slot as (update run_slots set running = running - 1 where organization_id = $1)
  select entries, bytes from head`,
}

type Standing = { status: RunStatus; statusDetail: string | null }

/** Somebody who asked for more while it ran gets it, also where that turn has failed; not where it has shown what nobody may. */
const goesOnAfter = (last: TurnEnd) =>
  last.status === 'completed' || (last.status === 'failed' && last.error.code !== 'canary_found')

type After = { next: { n: number; isAfterStop: boolean } | undefined; head: RunHead }

function standingAfter(last: TurnEnd, { next, head }: After): Standing {
  if (!next)
    return { status: last.status, statusDetail: last.status === 'completed' ? (last.statusDetail ?? null) : null }
  if (!next.isAfterStop && head.wanted === 'pause')
    return { status: 'paused', statusDetail: head.statusDetail === budgetReached ? budgetReached : null }
  return { status: 'queued', statusDetail: 'capacity' }
}
