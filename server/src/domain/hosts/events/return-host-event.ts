import type { Db } from '#db/pool.ts'
import type { ClaimedEvent } from './claim-host-events.ts'

type ReturnHostEvent = Pick<ClaimedEvent, 'organizationId' | 'id' | 'tries'>

/** Leaves an event to the next worker, as if it had not been tried. */
export async function returnHostEvent(db: Db, { organizationId, id, tries }: ReturnHostEvent): Promise<void> {
  await db.query(
    `update host_events set claimed_until = null, tries = tries - 1
     where organization_id = $1 and id = $2 and tries = $3 and done_at is null`,
    [organizationId, id, tries],
  )
}
