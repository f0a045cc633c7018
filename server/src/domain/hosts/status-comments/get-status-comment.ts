import { maybeOne, type Db } from '#db/pool.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { readSubject } from '#domain/hosts/mention.ts'
import { readStatusCommentRef, type StatusComment } from './status-comment.ts'

/** What a job is to post; undefined where nothing is due, such as where the same was asked for anew. */
export async function getStatusComment(
  db: Db,
  { organizationId, ref }: Pick<ClaimedJob, 'organizationId' | 'ref'>,
): Promise<StatusComment | undefined> {
  const { runId, repoId, subject } = readStatusCommentRef(ref)
  const found = await maybeOne<Omit<StatusComment, 'on'>>(
    db,
    `select p.organization_id, p.run_id, p.repo_id,
       h.status, r.result, r.error, r.task is not null as "isTask", p.is_in_threads,
       (select q.text from questions q where q.organization_id = p.organization_id and q.run_id = p.run_id and q.answered_at is null
        order by q.n desc limit 1) as question
     from run_replies p
       join runs r on r.organization_id = p.organization_id and r.id = p.run_id
       join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where p.organization_id = $1 and p.run_id = $2 and p.repo_id = $3 and p.subject = $4 and p.due_at is not null`,
    [organizationId, runId, repoId, subject],
  )
  return found && { ...found, on: readSubject(subject) }
}
