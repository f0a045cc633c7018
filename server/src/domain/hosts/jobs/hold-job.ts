import { maybeOne, type Db } from '#db/pool.ts'
import { JobLost, type ClaimedJob } from './job.ts'

/**
 * Makes sure that nobody else takes a job before the transaction ends. Answers whether it was requested again since it was
 * claimed. The row that the job is about is locked first, as by those who request it. Throws `JobLost`.
 */
export async function holdJob(tx: Db, job: ClaimedJob): Promise<boolean> {
  const { organizationId, id, claimId } = job
  const held = await maybeOne<{ requests: number }>(
    tx,
    'select requests from jobs where organization_id = $1 and id = $2 and claim_id = $3 for update',
    [organizationId, id, claimId],
  )
  if (!held) throw new JobLost(job)
  return held.requests !== job.requests
}
