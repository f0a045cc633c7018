import type { Db } from '#db/pool.ts'
import { unclaimed, type ClaimedJob } from './job.ts'

/** Leaves a job to the next worker, as if it had not been tried. Changes nothing where the claim is lost. */
export async function returnJob(db: Db, { organizationId, id, claimId }: ClaimedJob): Promise<void> {
  await db.query(
    `update jobs set ${unclaimed}, tries = greatest(tries - 1, 0)
     where organization_id = $1 and id = $2 and claim_id = $3`,
    [organizationId, id, claimId],
  )
}
