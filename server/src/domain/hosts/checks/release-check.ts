import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import type { ClaimedCheck } from './claim-check.ts'

export type ReleaseCheck = {
  claimed: ClaimedCheck
  /** It could not run here, for a reason that may be the check's own. */
  isLost: boolean
}

/** Lets another worker run an unfinished check from the beginning. */
export async function releaseCheck(db: Db, { claimed, isLost }: ReleaseCheck): Promise<void> {
  const { organizationId, checkId, claimId } = claimed
  await inTransaction(db, async (tx) => {
    await tx.query(
      `update checks set status = 'queued', started_at = null, claim_id = null, claimed_until = null, losses = losses + $4::int
       where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress'`,
      [organizationId, checkId, claimId, isLost ? 1 : 0],
    )
    await wakeWorkers(tx, { hostWork: true })
  })
}
