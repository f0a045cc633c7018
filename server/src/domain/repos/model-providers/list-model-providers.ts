import { one, rows, type Db } from '#db/pool.ts'
import { modelProviderColumns, type ModelProvider } from './model-provider.ts'

type ListModelProviders = { organizationId: number; skip: number; limit: number }

/** By name. */
export async function listModelProviders(
  db: Db,
  { organizationId, skip, limit }: ListModelProviders,
): Promise<{ items: ModelProvider[]; total: number }> {
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from model_providers where organization_id = $1 and removed_at is null',
    [organizationId],
  )
  const items = await rows<ModelProvider>(
    db,
    `select ${modelProviderColumns} from model_providers where organization_id = $1 and removed_at is null
     order by name limit $2 offset $3`,
    [organizationId, limit, skip],
  )
  return { items, total }
}
