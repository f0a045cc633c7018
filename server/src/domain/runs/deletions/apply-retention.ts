import type pg from 'pg'
import { deletionLimits } from '#base/deletion-limits.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { listEndedRuns, type EndedRun, type EndedSince } from '#domain/runs/list-ended-runs.ts'
import { markDeleted } from './mark-deleted.ts'
import type { DeletedPart } from '#base/deleted-part.ts'

type Due = EndedSince & { part: DeletedPart }

/**
 * Asks for the deletion of what organizations keep no longer, a bounded number of runs at a time, for a while. How far it has come is
 * written with what it asks for, so a process that dies leaves nothing out and does nothing twice. Answers how often it has asked.
 */
export async function applyRetention(pool: pg.Pool, options: { workMs?: number } = {}): Promise<number> {
  const until = performance.now() + (options.workMs ?? deletionLimits.workMs)
  let asked = 0
  while (performance.now() < until && (await applyOnce(pool))) asked++
  return asked
}

/** False where nothing is due. Another process that is at a part of an organization is left to it. */
async function applyOnce(pool: pg.Pool): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const due = await maybeOne<Due>(
      tx,
      `select organization_id, part, days, done_until::text, done_run_id from retention
       where due_at <= now() order by due_at limit 1 for update skip locked`,
    )
    if (!due) return false
    const ended = await listEndedRuns(tx, due)
    await askFor(tx, due, ended)
    const last = ended.at(-1)
    await tx.query(
      `update retention set done_until = coalesce($3, done_until), done_run_id = coalesce($4, done_run_id),
         due_at = now() + $5 * interval '1 millisecond'
       where organization_id = $1 and part = $2`,
      [
        due.organizationId,
        due.part,
        last?.finishedAt ?? null,
        last?.id ?? null,
        ended.length === deletionLimits.dueRunsMax ? 0 : deletionLimits.dueLookMs,
      ],
    )
    return true
  })
}

async function askFor(tx: Db, { organizationId, part }: Due, ended: EndedRun[]): Promise<void> {
  if (!ended.length) return
  // Locked in one order; what was deleted or goes on meanwhile has no such head.
  const heads = await rows<{ runId: number; isPrivate: boolean }>(
    tx,
    `select h.run_id, r.repo_id is null as "isPrivate" from run_heads h join runs r on r.organization_id = h.organization_id and r.id = h.run_id
     where h.organization_id = $1 and h.run_id = any($2) and h.status in ('completed', 'failed', 'cancelled')
       and not r.deleted_parts @> array[$3::text] order by h.run_id for update of h`,
    [organizationId, ended.map(({ id }) => id), part],
  )
  const runIds = heads.filter(({ isPrivate }) => part !== 'repositories' || isPrivate).map(({ runId }) => runId)
  if (!runIds.length) return
  if (part === 'runs') return markDeleted(tx, { organizationId, runIds })
  await tx.query(
    `insert into deletions (organization_id, run_id, part) select $1, run_id, $3 from unnest($2::bigint[]) as run_id
     on conflict do nothing`,
    [organizationId, runIds, part],
  )
  await tx.query(
    `update runs set deleted_parts = deleted_parts || $3::text where organization_id = $1 and id = any($2)`,
    [organizationId, runIds, part],
  )
  // A log without entries: who reads it finds none, however many are there still.
  await tx.query(
    `update run_heads set revision = revision + 1, next_seq = case when $3 = 'logs' then 1 else next_seq end
     where organization_id = $1 and run_id = any($2)`,
    [organizationId, runIds, part],
  )
}
