import { hostLimits } from '#base/hosts/host-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import type { ClaimedJob } from './job.ts'

/** Holds claims for longer. Answers which are held still, by their ids. */
export async function renewJobs(db: Db, jobs: readonly ClaimedJob[]): Promise<Set<string>> {
  const held = await rows<{ claimId: string }>(
    db,
    `update jobs set claimed_until = now() + $1 * interval '1 millisecond' where claim_id = any($2::uuid[])
       and organization_id = any($3::bigint[]) and id = any($4::bigint[]) returning claim_id`,
    [
      hostLimits.jobClaimMs,
      jobs.map(({ claimId }) => claimId),
      jobs.map(({ organizationId }) => organizationId),
      jobs.map(({ id }) => id),
    ],
  )
  return new Set(held.map(({ claimId }) => claimId))
}
