import type { Db } from '#db/pool.ts'
import type { ClaimedCheck } from './start-check.ts'

export type ReleaseCheck = {
  claimed: ClaimedCheck
  /** It could not run here, for a reason that may be the check's own. */
  isLost: boolean
}

/** Shows an unfinished check as queued; whoever takes its job next runs it from the beginning. */
export async function releaseCheck(db: Db, { claimed, isLost }: ReleaseCheck): Promise<void> {
  const { organizationId, checkId, claimId } = claimed
  await db.query(
    `update checks set status = 'queued', started_at = null, claim_id = null, losses = losses + $4::int
     where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress'`,
    [organizationId, checkId, claimId, isLost ? 1 : 0],
  )
}
