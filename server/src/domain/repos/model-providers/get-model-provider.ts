import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { modelProviderColumns, type ModelProvider } from './model-provider.ts'

export type ModelProviderIds = { organizationId: number; modelProviderId: number }

/** Throws `model_provider_not_found`. */
export async function getModelProvider(
  db: Db,
  { organizationId, modelProviderId }: ModelProviderIds,
): Promise<ModelProvider> {
  const provider = await maybeOne<ModelProvider>(
    db,
    `select ${modelProviderColumns} from model_providers where organization_id = $1 and id = $2 and removed_at is null`,
    [organizationId, modelProviderId],
  )
  if (!provider) throw new AppError('model_provider_not_found')
  return provider
}
