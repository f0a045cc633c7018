import { maybeOne, type Db } from '#db/pool.ts'
import { isWanted } from './check.ts'
import type { ClaimedCheck } from './start-check.ts'

/** Whether somebody waits for the result of a check that is at work; false also where another worker runs it by now. */
export async function isCheckWanted(
  db: Db,
  { organizationId, checkId, claimId }: Pick<ClaimedCheck, 'organizationId' | 'checkId' | 'claimId'>,
): Promise<boolean> {
  const found = await maybeOne(
    db,
    `select from checks c where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress' and ${isWanted}`,
    [organizationId, checkId, claimId],
  )
  return found !== undefined
}
