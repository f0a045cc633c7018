import type { Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

/** Says in a word or two what the run is at, unless it is about to be paused. Throws `LeaseLost`. */
export async function updateStatusDetail(db: Db, holder: Holder, statusDetail: string): Promise<void> {
  const values = [holder.organizationId, holder.runId, holder.leaseId, statusDetail]
  const { rowCount } = await db.query({ ...update, values })
  if (!rowCount) throw new LeaseLost(holder.runId)
}

const update = {
  name: 'update-status-detail',
  // Once it is at work, it has reached what it waited to begin on.
  text: `update run_heads set status_detail = case when wanted is null then $4 else status_detail end,
       host_wait = case when $4 <> 'working' or host_wait->>'for' = 'deliver' then host_wait end, revision = revision + 1, updated_at = now()
     where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel'`,
}
