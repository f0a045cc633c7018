import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { integrationColumns, type Integration } from './integration.ts'

export type IntegrationIds = { organizationId: number; integrationId: number }

/** Without its credentials. Throws `integration_not_found`. */
export async function getIntegration(db: Db, { organizationId, integrationId }: IntegrationIds): Promise<Integration> {
  const found = await maybeOne<Integration>(
    db,
    `select ${integrationColumns} from integrations where organization_id = $1 and id = $2`,
    [organizationId, integrationId],
  )
  if (!found) throw new AppError('integration_not_found')
  return found
}
