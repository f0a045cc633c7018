import type { Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** Has a queued run be at work without a worker, in the transaction that has queued it: no worker sees it queued. */
export async function beginReportedTurn(tx: Db, { organizationId, runId }: RunIds): Promise<void> {
  await tx.query(
    `update run_heads set status = 'in_progress', status_detail = 'working', turn_started_at = now(), revision = revision + 1, updated_at = now()
     where organization_id = $1 and run_id = $2`,
    [organizationId, runId],
  )
  await tx.query('update runs set started_at = coalesce(started_at, now()) where organization_id = $1 and id = $2', [
    organizationId,
    runId,
  ])
}
