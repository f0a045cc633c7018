import type { Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

/** Queues a run that nobody holds for its next turn, of which the message is there. */
export async function beginTurn(tx: Db, { organizationId, runId }: RunIds): Promise<void> {
  await tx.query(
    `update run_heads set status = 'queued', status_detail = 'capacity', turn = turn + 1, claims = 0, wanted = null, wanted_by = null,
       turn_started_at = null, held_at = null, host_wait = null, not_before = now(), revision = revision + 1, updated_at = now()
     where organization_id = $1 and run_id = $2`,
    [organizationId, runId],
  )
  await tx.query('update runs set finished_at = null, error = null where organization_id = $1 and id = $2', [
    organizationId,
    runId,
  ])
  await wakeWorkers(tx, { queued: true })
}
