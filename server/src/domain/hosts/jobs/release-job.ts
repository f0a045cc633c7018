import { refusedMs } from '#base/hosts/refused-ms.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { unclaimed, type ClaimedJob } from './job.ts'

/** How often a job is tried, and how long it waits after a failed try: twice as long each time, and less by up to a half. */
export type RetryPolicy = { triesMax: number; pauseMs: number; pauseMsMax: number }

export type ReleaseJob = {
  job: ClaimedJob
  /** Why it failed, without secrets. */
  problem: string
  /** Not earlier than that, where a host has said so; no longer than a day counts. */
  retryInMs: number | undefined
  policy: RetryPolicy
}

/**
 * Ends a try that has failed. The job is due again later, longer each time, and given up after the last try; then it waits for
 * people. Answers whether it is. Changes nothing where the claim is lost.
 */
export async function releaseJob(db: Db, { job, problem, retryInMs, policy }: ReleaseJob): Promise<boolean> {
  const { organizationId, id, claimId, requests } = job
  const { triesMax, pauseMs, pauseMsMax } = policy
  const released = await maybeOne<{ isGivenUp: boolean }>(
    db,
    `update jobs set ${unclaimed}, problem = $5,
       gave_up_at = case when requests = $4 and tries >= $6 then now() end,
       due_at = case when requests <> $4 then due_at when tries >= $6 then null else now() + interval '1 millisecond' *
         greatest(least($7 * 2 ^ least(tries - 1, 30), $8) * (1 - random() / 2), $9) end
     where organization_id = $1 and id = $2 and claim_id = $3 returning gave_up_at is not null as "isGivenUp"`,
    [
      organizationId,
      id,
      claimId,
      requests,
      problem,
      Number.isFinite(triesMax) ? triesMax : 2 ** 31 - 1,
      pauseMs,
      pauseMsMax,
      refusedMs(retryInMs),
    ],
  )
  return released?.isGivenUp ?? false
}
