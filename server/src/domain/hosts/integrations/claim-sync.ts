import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

export type ClaimedSync = IntegrationIds & { claimId: string }

/** An integration whose repositories are to be listed anew, which nobody else takes for a while; null when there is none. */
export async function claimSync(db: Db): Promise<ClaimedSync | null> {
  const claimed = await maybeOne<ClaimedSync>(
    db,
    `update integrations set sync_claim_id = gen_random_uuid(), sync_due_at = now() + $1 * interval '1 millisecond'
     where (organization_id, id) in (select organization_id, id from integrations where active and sync_due_at <= now()
       order by sync_due_at limit 1 for update skip locked)
     returning organization_id as "organizationId", id as "integrationId", sync_claim_id as "claimId"`,
    [limits.integrationSyncClaimMs],
  )
  return claimed ?? null
}
