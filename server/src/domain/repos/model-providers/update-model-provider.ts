import { AppError } from '#base/errors.ts'
import type { Secret } from '#base/secrets/secret.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeDataKey } from '#domain/repos/secrets/data-key.ts'
import { getModelProvider, type ModelProviderIds } from './get-model-provider.ts'
import { modelKeyPlace, modelProviderColumns, type ModelProvider } from './model-provider.ts'

/** Omitted fields stay as they are. A key of null: the server wants none. With `memberKeysOnly` the organization's key is forgotten. */
export type ModelProviderChanges = Partial<
  Pick<ModelProvider, 'baseUrl' | 'memberKeysOnly' | 'models' | 'inputUsd' | 'outputUsd'> & { key: Secret | null }
>

/**
 * Throws `model_provider_not_found`, and `conflict` where the address is another one than `from`, in which case a key might be
 * sent where its owner never meant it to go.
 */
export async function updateModelProvider(
  db: Db,
  box: SecretBox,
  {
    organizationId,
    modelProviderId,
    from,
    changes,
  }: ModelProviderIds & { from: string | null; changes: ModelProviderChanges },
): Promise<ModelProvider> {
  return inTransaction(db, async (tx) => {
    const dataKey = await takeDataKey(tx, box, { organizationId })
    const before = await getModelProvider(tx, { organizationId, modelProviderId })
    if (before.baseUrl !== from)
      throw new AppError('conflict', {
        message: `The model provider ${before.name} was changed meanwhile: look again.`,
      })
    const { baseUrl, memberKeysOnly, models, inputUsd, outputUsd } = { ...before, ...changes }
    const key = memberKeysOnly ? null : changes.key
    const sealed = key ? dataKey.seal(Buffer.from(key.reveal()), modelKeyPlace(organizationId, before.name)) : null
    const updated = await maybeOne<ModelProvider>(
      tx,
      `update model_providers set base_url = $3, models = $4, input_usd = $5, output_usd = $6,
         sealed = case when $7 then $8 else sealed end, member_keys_only = $9, updated_at = now()
       where organization_id = $1 and id = $2 and removed_at is null returning ${modelProviderColumns}`,
      [
        organizationId,
        modelProviderId,
        baseUrl,
        models,
        inputUsd,
        outputUsd,
        key !== undefined,
        sealed,
        memberKeysOnly,
      ],
    )
    if (!updated) throw new AppError('model_provider_not_found')
    return updated
  })
}
