import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { openDataKey } from '#domain/repos/secrets/data-key.ts'
import type { IntegrationIds } from './get-integration.ts'
import { integrationColumns, integrationPlace, type Credentials, type Integration } from './integration.ts'

export type OpenIntegration = Integration & { credentials: Credentials }

/** An integration with what opens it, by its ids or by the key of its address; null when there is none. */
export async function openIntegration(
  db: Db,
  box: SecretBox,
  request: IntegrationIds | { key: string },
): Promise<OpenIntegration | null> {
  const condition = 'key' in request ? 'key = $1' : 'organization_id = $1 and id = $2'
  const values = 'key' in request ? [request.key] : [request.organizationId, request.integrationId]
  const found = await maybeOne<Integration & { sealed: Buffer; dataKey: Buffer }>(
    db,
    `select ${integrationColumns}, sealed,
       (select k.sealed from data_keys k where k.organization_id = integrations.organization_id) as "dataKey"
     from integrations where ${condition}`,
    values,
  )
  if (!found) return null
  const { sealed, dataKey, ...integration } = found
  const opened = openDataKey(box, { organizationId: integration.organizationId, sealed: dataKey }).open(
    sealed,
    integrationPlace(integration),
  )
  if (!opened) throw new Error(`integration ${integration.id} was changed in the database`)
  return { ...integration, credentials: JSON.parse(opened.toString()) as Credentials }
}
