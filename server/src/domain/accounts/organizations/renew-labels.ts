import type { Db } from '#db/pool.ts'
import { wakeWorkers } from './wake-workers.ts'

/** Lets the runs that have not ended wait for the labels that their repository, or else the organization, has now. */
export async function renewLabels(
  tx: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number | null },
): Promise<void> {
  await tx.query(
    `update run_heads h set labels = labels_wanted(r.organization_id, r.repo_id), updated_at = now()
     from runs r
     where h.organization_id = $1 and r.organization_id = $1 and r.id = h.run_id and ($2::bigint is null or r.repo_id = $2)
       and h.status in ('queued', 'in_progress', 'waiting_for_user', 'paused') and h.labels <> labels_wanted(r.organization_id, r.repo_id)`,
    [organizationId, repoId],
  )
  await wakeWorkers(tx, { queued: true })
}
