import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes jobs that were given up long ago and that nobody has retried. */
export async function sweepJobs(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from jobs where (organization_id, id) in (
       select organization_id, id from jobs where gave_up_at < now() - $1 * interval '1 millisecond' limit $2)`,
    [hostLimits.jobsKeptMs, hostLimits.jobsSweptMax],
  )
  return rowCount ?? 0
}
