import { maybeOne, one, type Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

/** What has happened between us and a code host lately. */
export type Activity = {
  /** When its last webhook came, of those that are kept. */
  deliveredAt: Date | null
  /** When one of its repositories was last looked at; how many are, and for how many that failed, with the reason of one. */
  lookedAt: Date | null
  looks: number
  failedLooks: number
  lookProblem: string | null
  /** Work that failed last, and is tried again unless it was given up. */
  failed: FailedWork | null
}
export type FailedWork = { repo: string; subject: string | null; problem: string; isGivenUp: boolean; at: Date }

export async function findActivity(db: Db, { organizationId, integrationId }: IntegrationIds): Promise<Activity> {
  const ids = [organizationId, integrationId]
  return {
    ...(await one<Omit<Activity, 'failed'>>(db, selectLooks, ids)),
    failed: (await maybeOne<FailedWork>(db, selectFailed, ids)) ?? null,
  }
}

const selectLooks = `
  select (select received_at from webhook_deliveries where organization_id = $1 and integration_id = $2 order by id desc limit 1)
      as delivered_at,
    max(p.seen_at) as looked_at, count(*) as looks, count(p.problem) as failed_looks,
    (array_agg(p.problem order by p.repo_id) filter (where p.problem is not null))[1] as look_problem
  from repos r join host_polls p on p.organization_id = r.organization_id and p.repo_id = r.id
  where r.organization_id = $1 and r.integration_id = $2 and r.removed_at is null and not r.archived`

const selectFailed = `
  select r.name as repo, a.subject, j.problem, j.gave_up_at is not null as "isGivenUp", coalesce(j.gave_up_at, j.created_at) as at
  from jobs j cross join lateral (
    select e.subject, e.repo_id from host_events e
      where j.kind = 'host_event' and e.organization_id = j.organization_id and e.id = j.ref::bigint
    union all select split_part(j.ref, ' ', 3), split_part(j.ref, ' ', 2)::bigint where j.kind = 'status_comment'
    union all select substr(j.ref, position(' ' in j.ref) + 1), split_part(j.ref, ' ', 1)::bigint where j.kind = 'review'
    union all select 'pull:' || p.number, p.repo_id from pulls p
      where j.kind = 'fixer' and p.organization_id = j.organization_id and p.id = j.ref::bigint
  ) a join repos r on r.organization_id = j.organization_id and r.id = a.repo_id and r.integration_id = $2
  where j.organization_id = $1 and j.problem is not null and j.kind in ('host_event', 'status_comment', 'review', 'fixer')
  order by j.gave_up_at is not null desc, at desc limit 1`
