import type { Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

/**
 * Queues a run that was paused or waited, in the same turn. The time that it was held does not count as its time, and its code
 * host is given its time anew.
 */
export async function enqueueHeld(tx: Db, { organizationId, runId }: RunIds): Promise<void> {
  await tx.query(
    `update run_heads set status = 'queued', status_detail = 'capacity', claims = 0, wanted = null, wanted_by = null,
       turn_started_at = turn_started_at + (now() - coalesce(held_at, now())), held_at = null, host_wait = null, not_before = now(),
       revision = revision + 1, updated_at = now()
     where organization_id = $1 and run_id = $2`,
    [organizationId, runId],
  )
  await wakeWorkers(tx, { queued: true })
}
