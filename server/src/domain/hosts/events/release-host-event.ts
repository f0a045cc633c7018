import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'
import type { ClaimedEvent } from './claim-host-events.ts'
import { finishHostEvent } from './finish-host-event.ts'

type ReleaseHostEvent = Pick<ClaimedEvent, 'organizationId' | 'id' | 'tries'> & {
  /** Why it was tried in vain. */
  reason: string
  /** Not before then, where the host has said so. */
  retryAt: Date | undefined
}

/**
 * Puts off what was tried in vain, longer each time; what was tried often enough is given up, and lets later events of its
 * subject through. True where it is given up.
 */
export async function releaseHostEvent(
  db: Db,
  { organizationId, id, tries, reason, retryAt }: ReleaseHostEvent,
): Promise<boolean> {
  if (tries >= hostLimits.hostEventTriesMax) {
    await finishHostEvent(db, { organizationId, id, tries, outcome: `given up: ${reason}` })
    return true
  }
  const pauseMs = Math.min(hostLimits.hostEventRetryMs * 2 ** (tries - 1), hostLimits.hostEventRetryMsMax)
  await db.query(
    `update host_events set claimed_until = null, outcome = $5,
       due_at = greatest(now() + $4 * interval '1 millisecond', least(coalesce($6::timestamptz, now()), now() + interval '1 day'))
     where organization_id = $1 and id = $2 and tries = $3 and done_at is null`,
    [organizationId, id, tries, pauseMs, reason, retryAt ?? null],
  )
  return false
}
