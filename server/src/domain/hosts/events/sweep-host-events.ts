import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes what was handled long ago, and what nobody has sent again that was given up even longer ago. */
export async function sweepHostEvents(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from host_events where (organization_id, id) in (
       (select organization_id, id from host_events where done_at < now() - $1 * interval '1 millisecond' limit $3)
       union all
       (select organization_id, id from host_events
        where done_at is null and created_at < now() - $2 * interval '1 millisecond' limit $3))`,
    [hostLimits.hostEventsKeptMs, hostLimits.jobsKeptMs, hostLimits.hostEventsSweptMax],
  )
  return rowCount ?? 0
}
