import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes what was read so long ago that no host sends it again. */
export async function sweepDeliveries(db: Db): Promise<void> {
  await db.query(
    `delete from webhook_deliveries where (organization_id, id) in (
       select organization_id, id from webhook_deliveries where done_at < now() - $1 * interval '1 millisecond' limit $2)`,
    [hostLimits.hostEventsKeptMs, hostLimits.hostEventsSweptMax],
  )
}
