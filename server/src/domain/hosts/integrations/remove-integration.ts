import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

/** Its credentials are gone at once; its repositories stay listed, as not connected. Throws `integration_not_found`. */
export async function removeIntegration(db: Db, { organizationId, integrationId }: IntegrationIds): Promise<void> {
  const removed = await maybeOne(db, 'delete from integrations where organization_id = $1 and id = $2 returning id', [
    organizationId,
    integrationId,
  ])
  if (!removed) throw new AppError('integration_not_found')
}
