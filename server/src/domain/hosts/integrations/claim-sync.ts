import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

/** An integration whose repositories are to be listed anew, which nobody else takes for a while; null when there is none. */
export async function claimSync(db: Db): Promise<IntegrationIds | null> {
  const claimed = await maybeOne<IntegrationIds>(
    db,
    `update integrations set sync_due_at = now() + $1 * interval '1 millisecond'
     where (organization_id, id) in (select organization_id, id from integrations where active and sync_due_at <= now()
       order by sync_due_at limit 1 for update skip locked)
     returning organization_id as "organizationId", id as "integrationId"`,
    [limits.integrationSyncClaimMs],
  )
  return claimed ?? null
}
