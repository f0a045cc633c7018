import type { HostSubject } from '#base/host-event.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunStatus } from '#domain/runs/run.ts'

export type FindRequestRun = { organizationId: number; repoId: number; on: HostSubject }

/**
 * The run that goes on where somebody asks for something at an issue or a pull request: the one that has opened the pull
 * request, else the last that was started from here or works on it. Not one that was stopped or put away, nor one that
 * changes no files.
 */
export async function findRequestRun(
  db: Db,
  { organizationId, repoId, on }: FindRequestRun,
): Promise<{ runId: number; status: RunStatus } | undefined> {
  return maybeOne(
    db,
    `select r.id as "runId", h.status from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     left join lateral (
       select p.run_id as opener, p.id from pulls p
       where $3 = 'pull' and p.organization_id = $1 and p.repo_id = $2 and p.number = $4) as pull on true
     where r.organization_id = $1 and r.repo_id = $2 and r.archived_at is null and r.task is null and h.status <> 'cancelled' and (
       r.id = pull.opener or r.pull_id = pull.id or r.id in (
         select q.run_id from host_requests q
         where q.organization_id = $1 and q.repo_id = $2 and q.subject = $3 || ':' || $4 and q.run_id is not null))
     order by r.id = pull.opener desc nulls last, r.id desc limit 1`,
    [organizationId, repoId, on.kind, on.number],
  )
}
