import type { Db } from '#db/pool.ts'
import { unclaimed, type ClaimedJob } from './job.ts'

/** `againInMs`: after how many milliseconds it is due again by itself; null: not before it is requested. */
export type FinishJob = { job: ClaimedJob; againInMs: number | null }

/** Ends a try that has succeeded. What was requested meanwhile is done once more. Changes nothing where the claim is lost. */
export async function finishJob(db: Db, { job, againInMs }: FinishJob): Promise<void> {
  const { organizationId, id, claimId, requests } = job
  await db.query(
    `with done as (
       delete from jobs where organization_id = $1 and id = $2 and claim_id = $3 and requests = $4 and $5::float8 is null)
     update jobs set ${unclaimed}, tries = 0, problem = null,
       due_at = case when requests = $4 then now() + $5::float8 * interval '1 millisecond' else due_at end
     where organization_id = $1 and id = $2 and claim_id = $3 and (requests <> $4 or $5::float8 is not null)`,
    [organizationId, id, claimId, requests, againInMs],
  )
}
