import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Db } from '#db/pool.ts'
import { dataKeyOf, listDataKeys } from './data-key.ts'

/** The organizations whose secrets no secret key opens that this process has. */
export async function findLostSecrets(db: Db, box: SecretBox): Promise<number[]> {
  return (await listDataKeys(db)).flatMap(({ organizationId, sealed }) =>
    box.open(sealed, dataKeyOf(organizationId)) ? [] : [organizationId],
  )
}
