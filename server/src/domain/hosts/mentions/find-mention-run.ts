import type { HostSubject } from '#base/hosts/host-event.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunStatus } from '#domain/runs/run.ts'

export type FindMentionRun = { organizationId: number; repoId: number; on: HostSubject }

/**
 * The run that goes on where somebody asks for something at an issue or a pull request: the one that has opened the pull
 * request, else the last that was started from here or works on it. Not one that was stopped or put away, nor one that
 * changes no files.
 */
export async function findMentionRun(
  db: Db,
  { organizationId, repoId, on }: FindMentionRun,
): Promise<{ runId: number; status: RunStatus } | undefined> {
  return maybeOne(
    db,
    `with pull as (
       select id, run_id from pulls where $3 = 'pull' and organization_id = $1 and repo_id = $2 and number = $4),
     known as (
       select run_id, true as "hasOpened" from pull where run_id is not null
       union all select r.id, false from runs r join pull on r.pull_id = pull.id where r.organization_id = $1
       union all select run_id, false from host_requests
         where organization_id = $1 and repo_id = $2 and subject = $3 || ':' || $4 and run_id is not null)
     select r.id as "runId", h.status from known
       join runs r on r.organization_id = $1 and r.id = known.run_id
       join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where r.archived_at is null and r.task is null and h.status <> 'cancelled' and not r.deleted_parts && '{logs,repositories}'
     order by known."hasOpened" desc, r.id desc limit 1`,
    [organizationId, repoId, on.kind, on.number],
  )
}
