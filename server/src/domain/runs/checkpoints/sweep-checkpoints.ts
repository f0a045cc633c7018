import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

/**
 * Forgets the checkpoints of runs that failed or were stopped long ago, whose work is on no branch, and that nobody has
 * continued since. Their bytes may be swept at once.
 */
export async function sweepCheckpoints(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `with gone as (
       delete from checkpoints c where (organization_id, run_id, n) in (
         select c.organization_id, c.run_id, c.n from checkpoints c
         join run_heads h on h.organization_id = c.organization_id and h.run_id = c.run_id
         where h.status in ('completed', 'failed', 'cancelled')
           and h.updated_at < now() - $1 * interval '1 millisecond'
         limit $2)
       returning organization_id, sha256)
     update blobs b set look_at = now() from gone where b.organization_id = gone.organization_id and b.sha256 = gone.sha256`,
    [limits.checkpointKeptMs, limits.checkpointsSweptMax],
  )
  return rowCount ?? 0
}
