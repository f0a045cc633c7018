import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'
import { subjectText } from '#domain/hosts/mentions/mention.ts'
import { finishStatusComment } from './finish-status-comment.ts'
import type { StatusComment } from './status-comment.ts'

/** Puts off what could not be told, longer each time; in the end nobody is told. True where it is given up. */
export async function releaseStatusComment(
  db: Db,
  reply: StatusComment,
  { retryAt }: { retryAt: Date | undefined },
): Promise<boolean> {
  const { organizationId, runId, repoId, on, tries } = reply
  if (tries >= hostLimits.hostEventTriesMax) {
    await finishStatusComment(db, reply)
    return true
  }
  const pauseMs = Math.min(hostLimits.hostEventRetryMs * 2 ** (tries - 1), hostLimits.hostEventRetryMsMax)
  await db.query(
    `update run_replies set claimed_until = null,
       due_at = greatest(now() + $6 * interval '1 millisecond', least(coalesce($7::timestamptz, now()), now() + interval '1 day'))
     where organization_id = $1 and run_id = $2 and repo_id = $3 and subject = $4 and tries = $5 and due_at is not null`,
    [organizationId, runId, repoId, subjectText(on), tries, pauseMs, retryAt ?? null],
  )
  return false
}
