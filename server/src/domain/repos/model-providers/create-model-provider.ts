import { AppError } from '#base/errors.ts'
import type { Secret } from '#base/secrets/secret.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeDataKey } from '#domain/repos/secrets/data-key.ts'
import { modelKeyPlace, modelProviderColumns, type ModelProvider } from './model-provider.ts'

const MODEL_PROVIDERS_MAX = 20

export type NewModelProvider = Pick<
  ModelProvider,
  'name' | 'kind' | 'baseUrl' | 'memberKeysOnly' | 'models' | 'inputUsd' | 'outputUsd'
> & {
  organizationId: number
  key: Secret | undefined
}

/** Throws `conflict` (the name is taken, or there are too many). */
export async function createModelProvider(
  db: Db,
  box: SecretBox,
  { organizationId, key, name, kind, baseUrl, memberKeysOnly, models, inputUsd, outputUsd }: NewModelProvider,
): Promise<ModelProvider> {
  return inTransaction(db, async (tx) => {
    // Whoever adds another one at the same moment waits here, so that both are counted.
    const dataKey = await takeDataKey(tx, box, { organizationId })
    const { count } = await one<{ count: number }>(
      tx,
      'select count(*) as count from model_providers where organization_id = $1 and removed_at is null',
      [organizationId],
    )
    if (count >= MODEL_PROVIDERS_MAX)
      throw new AppError('conflict', {
        message: `An organization can have at most ${MODEL_PROVIDERS_MAX} model providers.`,
      })
    const sealed = key ? dataKey.seal(Buffer.from(key.reveal()), modelKeyPlace(organizationId, name)) : null
    const made = await maybeOne<ModelProvider>(
      tx,
      `insert into model_providers (organization_id, name, kind, base_url, sealed, models, input_usd, output_usd, member_keys_only)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning ${modelProviderColumns}`,
      [organizationId, name, kind, baseUrl, sealed, models, inputUsd, outputUsd, memberKeysOnly],
    )
    if (!made) throw new AppError('conflict', { message: `There is a model provider ${name} already.` })
    return made
  })
}
