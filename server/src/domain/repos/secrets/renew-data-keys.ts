import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Db } from '#db/pool.ts'
import { dataKeyOf, listDataKeys } from './data-key.ts'

/**
 * Seals the data keys anew that the previous secret key has sealed, so that it is needed no more: the secrets themselves
 * stay as they are. Answers how many there were.
 */
export async function renewDataKeys(db: Db, box: SecretBox): Promise<number> {
  const renewed = (await listDataKeys(db)).flatMap(({ organizationId, sealed: old }) => {
    const sealed = box.renew(old, dataKeyOf(organizationId))
    return sealed ? [{ organizationId, sealed }] : []
  })
  if (renewed.length === 0) return 0
  // Another process that starts at the same moment seals the same keys: whichever is last, all of them open.
  await db.query(
    `update data_keys k set sealed = r.sealed from unnest($1::bigint[], $2::bytea[]) as r (organization_id, sealed)
     where k.organization_id = r.organization_id`,
    [renewed.map(({ organizationId }) => organizationId), renewed.map(({ sealed }) => sealed)],
  )
  return renewed.length
}
