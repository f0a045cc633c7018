import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'
import type { HostPoll } from './claim-poll.ts'

export type ReleasePoll = { poll: HostPoll; problem: string; retryAt: Date | undefined }

/** The repository could not be looked at: it is later, and from the same moment on. Nothing changes where somebody else looks by now. */
export async function releasePoll(db: Db, { poll, problem, retryAt }: ReleasePoll): Promise<void> {
  const { organizationId, repoId, idle, claimId } = poll
  const pauseMs = Math.min(hostLimits.hostPollMs * 2 ** Math.min(idle + 1, 20), hostLimits.hostPollMsMax)
  await db.query(
    `update host_polls set idle = idle + 1, problem = $4, claim_id = null, claimed_until = null,
       due_at = greatest(now() + $3 * interval '1 millisecond', least(coalesce($5::timestamptz, now()), now() + interval '1 day'))
     where organization_id = $1 and repo_id = $2 and claim_id = $6`,
    [organizationId, repoId, pauseMs, problem, retryAt ?? null, claimId],
  )
}
