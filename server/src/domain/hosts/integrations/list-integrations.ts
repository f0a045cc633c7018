import { rows, type Db } from '#db/pool.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { integrationColumns, type Integration } from './integration.ts'

export type Integrations = { organizationId: number; organizationName: string; integrations: Integration[] }

/** What the organization is connected with, besides the built-in code host. Throws `organization_not_found`. */
export async function listIntegrations(db: Db, { organizationId }: { organizationId: number }): Promise<Integrations> {
  const { name } = await getOrganization(db, { organizationId })
  const integrations = await rows<Integration>(
    db,
    `select ${integrationColumns} from integrations where organization_id = $1 order by id`,
    [organizationId],
  )
  return { organizationId, organizationName: name, integrations }
}
