import type { JsonObject } from '#base/json.ts'
import type { Db } from '#db/pool.ts'
import { getOrganization } from '#domain/organizations/get-organization.ts'

export type Integration = {
  integrationType: string
  active: boolean
  tokenId: number | null
  installationId: number | null
  metadata: JsonObject
}
export type Integrations = { organizationId: number; organizationName: string; integrations: Integration[] }

/** The built-in code host, which every organization has. */
const builtIn: Integration = {
  integrationType: 'local',
  active: true,
  tokenId: null,
  installationId: null,
  metadata: {},
}

/** What the organization is connected with. Throws `organization_not_found`. */
export async function listIntegrations(db: Db, { organizationId }: { organizationId: number }): Promise<Integrations> {
  const { name } = await getOrganization(db, { organizationId })
  return { organizationId, organizationName: name, integrations: [builtIn] }
}
