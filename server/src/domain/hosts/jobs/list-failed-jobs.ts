import { one, rows, type Db } from '#db/pool.ts'
import type { JobKind } from './job.ts'

export type ListFailedJobs = { organizationId: number; skip: number; limit: number }

/** A job that was given up. */
export type FailedJob = {
  id: number
  kind: JobKind
  /** What it is about, as far as that is still known: `pull:7`, `branch:main`, or the kind of a webhook. */
  subject: string | null
  repoId: number | null
  runId: number | null
  problem: string
  tries: number
  createdAt: Date
  gaveUpAt: Date
}

/** The jobs of an organization that were given up, the latest first. */
export async function listFailedJobs(
  db: Db,
  { organizationId, skip, limit }: ListFailedJobs,
): Promise<{ items: FailedJob[]; total: number }> {
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from jobs where organization_id = $1 and gave_up_at is not null',
    [organizationId],
  )
  return { total, items: await rows<FailedJob>(db, select, [organizationId, limit, skip]) }
}

const select = `
  select j.id, j.kind, a.subject, a.repo_id, a.run_id, coalesce(j.problem, '') as problem, j.tries,
    j.created_at, j.gave_up_at
  from jobs j left join lateral (
    select e.subject, e.repo_id, null::bigint as run_id from host_events e
      where j.kind = 'host_event' and e.organization_id = j.organization_id and e.id = j.ref::bigint
    union all select d.event, null, null from webhook_deliveries d
      where j.kind = 'delivery' and d.organization_id = j.organization_id and d.id = j.ref::bigint
    union all select 'pull:' || p.number, f.repo_id, f.run_id from pull_agents f
      join pulls p on p.organization_id = f.organization_id and p.id = f.pull_id
      where j.kind = 'fixer' and f.organization_id = j.organization_id and f.pull_id = j.ref::bigint
    union all select split_part(j.ref, ' ', 3), split_part(j.ref, ' ', 2)::bigint, split_part(j.ref, ' ', 1)::bigint
      where j.kind = 'status_comment'
    union all select substr(j.ref, position(' ' in j.ref) + 1), split_part(j.ref, ' ', 1)::bigint, null where j.kind = 'review'
  ) a on true
  where j.organization_id = $1 and j.gave_up_at is not null
  order by j.gave_up_at desc, j.id desc limit $2 offset $3`
