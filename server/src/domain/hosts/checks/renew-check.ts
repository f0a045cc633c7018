import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { isWanted } from './check.ts'
import type { ClaimedCheck } from './claim-check.ts'

/** Holds a claim for longer. Answers whether it is held still, and whether somebody waits for what comes of it. */
export async function renewCheck(
  db: Db,
  { organizationId, checkId, claimId }: Pick<ClaimedCheck, 'organizationId' | 'checkId' | 'claimId'>,
): Promise<'held' | 'unwanted' | 'lost'> {
  const renewed = await maybeOne<{ isWanted: boolean }>(
    db,
    `update checks c set claimed_until = now() + $4 * interval '1 millisecond'
     where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress' returning ${isWanted} as "isWanted"`,
    [organizationId, checkId, claimId, limits.checkClaimMs],
  )
  if (!renewed) return 'lost'
  return renewed.isWanted ? 'held' : 'unwanted'
}
