import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes what was read so long ago that no host sends it again, and what nobody has sent again that was given up long ago. */
export async function sweepDeliveries(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from webhook_deliveries where (organization_id, id) in (
       (select organization_id, id from webhook_deliveries where done_at < now() - $1 * interval '1 millisecond' limit $3)
       union all
       (select organization_id, id from webhook_deliveries
        where done_at is null and received_at < now() - $2 * interval '1 millisecond' limit $3))`,
    [hostLimits.hostEventsKeptMs, hostLimits.jobsKeptMs, hostLimits.hostEventsSweptMax],
  )
  return rowCount ?? 0
}
