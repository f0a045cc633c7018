import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'

/** Removes all secrets of these organizations, including those of their integrations and model providers, and the keys that sealed them. New secrets can be stored afterwards. */
export async function forgetSecrets(db: Db, { organizationIds }: { organizationIds: number[] }): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query('delete from secrets where organization_id = any($1)', [organizationIds])
    await tx.query('delete from integrations where organization_id = any($1)', [organizationIds])
    await tx.query('delete from model_providers where organization_id = any($1)', [organizationIds])
    await tx.query('delete from data_keys where organization_id = any($1)', [organizationIds])
  })
}
