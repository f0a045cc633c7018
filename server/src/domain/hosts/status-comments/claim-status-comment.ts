import { hostLimits } from '#base/hosts/host-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { readSubject } from '#domain/hosts/mentions/mention.ts'
import type { StatusComment } from './status-comment.ts'

/** Takes one answer that is to be told, which nobody else may be telling. */
export async function claimStatusComment(db: Db): Promise<StatusComment | undefined> {
  const claimed = await maybeOne<Omit<StatusComment, 'on'> & { subject: string }>(
    db,
    `update run_replies p set claimed_until = now() + $1 * interval '1 millisecond', tries = tries + 1
     from (
       select organization_id, run_id, repo_id, subject from run_replies
       where due_at <= now() and (claimed_until is null or claimed_until <= now())
       order by due_at limit 1 for update skip locked) as next
       join runs r on r.organization_id = next.organization_id and r.id = next.run_id
       join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where p.organization_id = next.organization_id and p.run_id = next.run_id and p.repo_id = next.repo_id and p.subject = next.subject
     returning p.organization_id as "organizationId", p.run_id as "runId", p.repo_id as "repoId", p.subject, p.tries,
       h.status, r.result, r.error, r.task is not null as "isTask",
       (select q.text from questions q where q.organization_id = p.organization_id and q.run_id = p.run_id and q.answered_at is null
        order by q.n desc limit 1) as question`,
    [hostLimits.hostEventClaimMs],
  )
  if (!claimed) return undefined
  const { subject, ...reply } = claimed
  return { ...reply, on: readSubject(subject) }
}
