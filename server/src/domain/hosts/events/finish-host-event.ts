import type { Db } from '#db/pool.ts'
import type { ClaimedEvent } from './claim-host-events.ts'

type FinishHostEvent = Pick<ClaimedEvent, 'organizationId' | 'id' | 'tries'> & {
  /** What became of it, in words. */
  outcome: string | null
}

/** The event is worked off, unless it was claimed anew meanwhile. */
export async function finishHostEvent(db: Db, { organizationId, id, tries, outcome }: FinishHostEvent): Promise<void> {
  await db.query(
    `update host_events set done_at = now(), claimed_until = null, outcome = $4
     where organization_id = $1 and id = $2 and tries = $3 and done_at is null`,
    [organizationId, id, tries, outcome],
  )
}
