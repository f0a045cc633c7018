import type { Db } from '#db/pool.ts'
import type { ClaimedAgent } from './claim-fixer.ts'
import type { Reported } from '#domain/hosts/fixer.ts'

/** Keeps what was said of the run on a commit, so that it is said once. */
export async function recordReported(
  db: Db,
  { organizationId, pullId, claimId }: ClaimedAgent,
  reported: Reported,
): Promise<void> {
  await db.query('update pull_agents set reported = $4 where organization_id = $1 and pull_id = $2 and claim_id = $3', [
    organizationId,
    pullId,
    claimId,
    JSON.stringify(reported),
  ])
}
