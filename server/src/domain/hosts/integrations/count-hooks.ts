import { one, type Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

/** `problem`: of the first repository whose webhook could not be made or kept. */
export type HookCounts = { total: number; kept: number; failed: number; name: string | null; problem: string | null }

/** How the webhooks of an integration's repositories stand. */
export async function countHooks(db: Db, { organizationId, integrationId }: IntegrationIds): Promise<HookCounts> {
  return one<HookCounts>(
    db,
    `select count(*) as total, count(*) filter (where h.digest is not null and h.problem is null) as kept,
       count(h.problem) as failed, min(r.name) filter (where h.problem is not null) as name,
       (array_agg(h.problem order by r.name) filter (where h.problem is not null))[1] as problem
     from repos r left join repo_hooks h on h.organization_id = r.organization_id and h.repo_id = r.id
     where r.organization_id = $1 and r.integration_id = $2 and r.removed_at is null and not r.archived`,
    [organizationId, integrationId],
  )
}
