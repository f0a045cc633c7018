import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { readSubject } from '#domain/hosts/mention.ts'

/** The issues of its own repository that a run was started from, oldest first. */
export async function listRunIssues(db: Db, { organizationId, runId }: RunIds): Promise<number[]> {
  const found = await rows<{ subject: string }>(
    db,
    `select q.subject from host_requests q join runs r on r.organization_id = q.organization_id and r.id = q.run_id
     where q.organization_id = $1 and q.run_id = $2 and q.repo_id = r.repo_id and q.subject like 'issue:%'
     group by q.subject order by min(q.id)`,
    [organizationId, runId],
  )
  return found.map(({ subject }) => readSubject(subject).number)
}
