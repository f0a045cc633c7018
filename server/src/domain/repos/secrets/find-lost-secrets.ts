import type { SecretBox } from '#base/secrets/secret-box.ts'
import { rows, type Db } from '#db/pool.ts'
import { dataKeyOf } from './data-key.ts'

export type SecretKeys = {
  box: SecretBox
  /** Of the secret key before the present one. */
  previous: SecretBox | null
}

/** The organizations whose secrets neither secret key opens. */
export async function findLostSecrets(db: Db, keys: SecretKeys): Promise<number[]> {
  return (await listStaleKeys(db, keys)).flatMap(({ organizationId, key }) => (key ? [] : [organizationId]))
}

/** The data keys that the present secret key has not sealed; opened, where the previous one opens them. */
export async function listStaleKeys(
  db: Db,
  { box, previous }: SecretKeys,
): Promise<{ organizationId: number; key: Buffer | undefined }[]> {
  const found = await rows<{ organizationId: number; sealed: Buffer }>(
    db,
    'select organization_id, sealed from data_keys order by organization_id',
  )
  const stale = found.filter(({ organizationId, sealed }) => !box.open(sealed, dataKeyOf(organizationId)))
  return stale.map(({ organizationId, sealed }) => ({
    organizationId,
    key: previous?.open(sealed, dataKeyOf(organizationId)),
  }))
}
