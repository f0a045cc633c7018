import type { Db } from '#db/pool.ts'
import { getPull } from './get-pull.ts'
import type { Pull } from './pull.ts'

/** A pull request that others change only after this transaction, as it is now. Throws `pull_not_found`. */
export async function lockPull(tx: Db, ids: { organizationId: number; pullId: number }): Promise<Pull> {
  const values = [ids.organizationId, ids.pullId]
  await tx.query('select from pulls where organization_id = $1 and id = $2 for no key update', values)
  return getPull(tx, ids)
}
