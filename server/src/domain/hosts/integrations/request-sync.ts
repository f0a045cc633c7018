import type { Db } from '#db/pool.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import type { IntegrationIds } from './get-integration.ts'

/** Has the integration's repositories listed anew, soon, even where they are being listed now. */
export async function requestSync(tx: Db, { organizationId, integrationId }: IntegrationIds): Promise<void> {
  await tx.query(
    'update integrations set sync_due_at = now(), sync_claim_id = null where organization_id = $1 and id = $2',
    [organizationId, integrationId],
  )
  await wakeWorkers(tx, { hostWork: true })
}
