import { hostLimits } from '#base/hosts/host-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

/** A repository whose webhook is to be looked at, and what it was given the last time. */
export type RepoHook = { repoId: number; name: string; digest: string | null }

/** The repositories of an integration whose webhooks were looked at the longest ago, as many as one sync looks at. */
export async function listHooks(db: Db, { organizationId, integrationId }: IntegrationIds): Promise<RepoHook[]> {
  return rows<RepoHook>(
    db,
    `select r.id as repo_id, r.name, h.digest
     from repos r left join repo_hooks h on h.organization_id = r.organization_id and h.repo_id = r.id
     where r.organization_id = $1 and r.integration_id = $2 and r.removed_at is null and not r.archived
     order by h.checked_at nulls first, r.id limit $3`,
    [organizationId, integrationId, hostLimits.hooksKeptMax],
  )
}
