import type { Db } from '#db/pool.ts'
import { dataKeyOf } from './data-key.ts'
import { listStaleKeys, type SecretKeys } from './find-lost-secrets.ts'

/**
 * Seals the data keys anew that the previous secret key has sealed, so that it is needed no more: the secrets themselves
 * stay as they are. Answers how many there were.
 */
export async function renewDataKeys(db: Db, keys: SecretKeys): Promise<number> {
  const opened = (await listStaleKeys(db, keys)).flatMap(({ organizationId, key }) =>
    key ? [{ organizationId, sealed: keys.box.seal(key, dataKeyOf(organizationId)) }] : [],
  )
  if (opened.length === 0) return 0
  // Another process that starts at the same moment seals the same keys: whichever is last, all of them open.
  await db.query(
    `update data_keys k set sealed = r.sealed from unnest($1::bigint[], $2::bytea[]) as r (organization_id, sealed)
     where k.organization_id = r.organization_id`,
    [opened.map(({ organizationId }) => organizationId), opened.map(({ sealed }) => sealed)],
  )
  return opened.length
}
