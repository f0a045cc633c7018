import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ModelProviderIds } from './get-model-provider.ts'

/** Of how many that were removed the names are kept. */
const REMOVED_MAX = 100

/** Forgets its key at once. Throws `model_provider_not_found`. */
export async function removeModelProvider(
  db: Db,
  { organizationId, modelProviderId }: ModelProviderIds,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update model_providers set sealed = null, removed_at = now(), updated_at = now()
       where organization_id = $1 and id = $2 and removed_at is null`,
      [organizationId, modelProviderId],
    )
    if (!rowCount) throw new AppError('model_provider_not_found')
    await tx.query(
      `delete from model_providers where organization_id = $1 and id in (
         select id from model_providers where organization_id = $1 and removed_at is not null
         order by removed_at desc, id desc offset $2)`,
      [organizationId, REMOVED_MAX],
    )
  })
}
