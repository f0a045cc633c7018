import { rows, type Db } from '#db/pool.ts'
import type { IntegrationIds } from './get-integration.ts'

/** Integrations of all organizations, for whoever operates the service. */
export async function listEveryIntegration(db: Db, { limit }: { limit: number }): Promise<IntegrationIds[]> {
  return rows<IntegrationIds>(
    db,
    'select organization_id, id as integration_id from integrations order by organization_id, id limit $1',
    [limit],
  )
}
