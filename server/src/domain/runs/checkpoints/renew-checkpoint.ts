import type { Db } from '#db/pool.ts'
import type { Holder } from '#domain/runs/holder.ts'

/** Records that steps up to this one changed no file since the newest checkpoint. Does nothing if the lease is lost. */
export async function renewCheckpoint(db: Db, { holder, key }: { holder: Holder; key: string }): Promise<void> {
  await db.query(
    `update checkpoints c set step = s.step from steps s, run_heads h
     where c.organization_id = $1 and c.run_id = $2
       and c.n = (select max(n) from checkpoints where organization_id = $1 and run_id = $2)
       and s.organization_id = $1 and s.run_id = $2 and s.key = $4 and s.finished_at > (
         select finished_at from steps where organization_id = $1 and run_id = $2 and step = c.step)
       and h.organization_id = $1 and h.run_id = $2 and h.lease_id = $3`,
    [holder.organizationId, holder.runId, holder.leaseId, key],
  )
}
