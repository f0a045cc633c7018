import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'
import type { HostPoll } from './claim-poll.ts'

export type ReleasePoll = { poll: HostPoll; problem: string; retryAt: Date | undefined }

/** The repository could not be looked at: it is later, and from the same moment on. */
export async function releasePoll(db: Db, { poll, problem, retryAt }: ReleasePoll): Promise<void> {
  const { organizationId, repoId, idle } = poll
  const pauseMs = Math.min(hostLimits.hostPollMs * 2 ** Math.min(idle + 1, 20), hostLimits.hostPollMsMax)
  await db.query(
    `update host_polls set idle = idle + 1, problem = $4, claimed_until = null,
       due_at = greatest(now() + $3 * interval '1 millisecond', least(coalesce($5::timestamptz, now()), now() + interval '1 day'))
     where organization_id = $1 and repo_id = $2`,
    [organizationId, repoId, pauseMs, problem, retryAt ?? null],
  )
}
