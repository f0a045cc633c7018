import type pg from 'pg'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import type { BlobSink } from '#domain/runs/blobs/store-blob.ts'
import { archivePiece } from './archive-piece.ts'

/** How long one clean-up archives, at most about a quarter of the time. */
const workMsDefault = 2_500
/** Who has not come back to an organization within this is dead, and another process goes on. */
const claimMs = 60_000
/** How many runs of an organization are looked for at once, and how long after the last look it is looked at again. */
const dueRunsMax = 200
const dueLookMs = 5 * 60_000

export type ArchiveLogs = { blobs: BlobSink; workMs?: number }

type Due = { organizationId: number; days: number; doneUntil: string; doneRunId: number }
type EndedRun = { id: number; finishedAt: string }

/**
 * Moves the logs of runs that ended long enough ago to the blob store, for a while, piece by piece. May be cut off anywhere and
 * repeated, also beside others: each piece is moved in one transaction, which looks where the archive ends.
 */
export async function archiveLogs(pool: pg.Pool, { blobs, workMs = workMsDefault }: ArchiveLogs): Promise<void> {
  const until = performance.now() + workMs
  while (performance.now() < until) {
    const due = await claimDue(pool)
    if (!due) return
    const ended = await listEnded(pool, due)
    let done: EndedRun | undefined
    try {
      for (const run of ended) {
        const ids = { organizationId: due.organizationId, runId: run.id }
        while (performance.now() < until && (await archivePiece(pool, { ...ids, blobs })));
        // What is left of it, if anything, is found again.
        if (performance.now() >= until) break
        done = run
      }
    } finally {
      const isAll = done === ended.at(-1) && ended.length < dueRunsMax
      await release(pool, { ...due, done, inMs: isAll ? dueLookMs : 0 })
    }
  }
}

/** An organization that is due, and for a while nobody else's. */
function claimDue(db: Db): Promise<Due | undefined> {
  return maybeOne<Due>(
    db,
    `update log_archiving set due_at = now() + $1 * interval '1 millisecond'
     where organization_id = (select organization_id from log_archiving where due_at <= now() order by due_at limit 1 for update skip locked)
     returning organization_id, days, done_until::text, done_run_id`,
    [claimMs],
  )
}

/** Times as text: JavaScript's have no microseconds. A run that goes on has another end, later. */
function listEnded(db: Db, { organizationId, days, doneUntil, doneRunId }: Due): Promise<EndedRun[]> {
  return rows<EndedRun>(
    db,
    `select id, finished_at::text from runs
     where organization_id = $1 and finished_at is not null and (finished_at, id) > ($2::timestamptz, $3::bigint)
       and finished_at < now() - make_interval(days => $4)
     order by finished_at, id limit $5`,
    [organizationId, doneUntil, doneRunId, days, dueRunsMax],
  )
}

async function release(
  db: Db,
  { organizationId, done, inMs }: Due & { done: EndedRun | undefined; inMs: number },
): Promise<void> {
  await db.query(
    `update log_archiving set done_until = coalesce($2, done_until), done_run_id = coalesce($3, done_run_id),
       due_at = now() + $4 * interval '1 millisecond' where organization_id = $1`,
    [organizationId, done?.finishedAt ?? null, done?.id ?? null, inMs],
  )
}
