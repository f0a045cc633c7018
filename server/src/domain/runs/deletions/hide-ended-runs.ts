import { deletionLimits } from '#base/deletion-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { markDeleted } from './mark-deleted.ts'

/** `repoId`: only runs of this repository; null: all of the organization. */
export type HideEndedRuns = { organizationId: number; repoId: number | null }

/** Takes the next runs that have ended out of everybody's sight, a bounded number. Answers how many. */
export async function hideEndedRuns(tx: Db, { organizationId, repoId }: HideEndedRuns): Promise<number> {
  const heads = await rows<{ runId: number }>(
    tx,
    `select h.run_id from run_heads h join runs r on r.organization_id = h.organization_id and r.id = h.run_id
     where h.organization_id = $1 and ($2::bigint is null or r.repo_id = $2) and h.status in ('completed', 'failed', 'cancelled')
     order by h.run_id limit $3 for update of h`,
    [organizationId, repoId, deletionLimits.hiddenRunsMax],
  )
  const runIds = heads.map(({ runId }) => runId)
  if (runIds.length) await markDeleted(tx, { organizationId, runIds })
  return runIds.length
}
