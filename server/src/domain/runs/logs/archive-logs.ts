import type pg from 'pg'
import { deletionLimits } from '#base/deletion-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { BlobSink } from '#domain/runs/blobs/store-blob.ts'
import { listEndedRuns, type EndedRun, type EndedSince } from '#domain/runs/list-ended-runs.ts'
import { archivePiece } from './archive-piece.ts'

/** Who has not come back to an organization within this is dead, and another process goes on. */
const claimMs = 60_000

export type ArchiveLogs = { blobs: BlobSink; workMs?: number }

/**
 * Moves the logs of runs that ended long enough ago to the blob store, for a while, piece by piece. May be cut off anywhere and
 * repeated, also beside others: each piece is moved in one transaction, which looks where the archive ends.
 */
export async function archiveLogs(
  pool: pg.Pool,
  { blobs, workMs = deletionLimits.workMs }: ArchiveLogs,
): Promise<void> {
  const until = performance.now() + workMs
  while (performance.now() < until) {
    const due = await claimDue(pool)
    if (!due) return
    const ended = await listEndedRuns(pool, due)
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
      const isAll = done === ended.at(-1) && ended.length < deletionLimits.dueRunsMax
      await release(pool, { ...due, done, inMs: isAll ? deletionLimits.dueLookMs : 0 })
    }
  }
}

/** An organization that is due, and for a while nobody else's. */
function claimDue(db: Db): Promise<EndedSince | undefined> {
  return maybeOne<EndedSince>(
    db,
    `update log_archiving set due_at = now() + $1 * interval '1 millisecond'
     where organization_id = (select organization_id from log_archiving where due_at <= now() order by due_at limit 1 for update skip locked)
     returning organization_id, days, done_until::text, done_run_id`,
    [claimMs],
  )
}

async function release(
  db: Db,
  { organizationId, done, inMs }: EndedSince & { done: EndedRun | undefined; inMs: number },
): Promise<void> {
  await db.query(
    `update log_archiving set done_until = coalesce($2, done_until), done_run_id = coalesce($3, done_run_id),
       due_at = now() + $4 * interval '1 millisecond' where organization_id = $1`,
    [organizationId, done?.finishedAt ?? null, done?.id ?? null, inMs],
  )
}
