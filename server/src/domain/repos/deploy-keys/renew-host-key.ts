import type { Db } from '#db/pool.ts'
import type { SecretKeys } from '#domain/repos/secrets/find-lost-secrets.ts'
import { hostKeyPlace, readHostKey } from './host-key.ts'

/** Seals the host key anew that the previous secret key has sealed, so that it is needed no more. */
export async function renewHostKey(db: Db, keys: SecretKeys): Promise<void> {
  const known = await readHostKey(db, keys)
  if (!known?.isStale || known.privateKey === undefined) return
  const sealed = keys.box.seal(Buffer.from(known.privateKey), hostKeyPlace)
  await db.query('update ssh_host_key set sealed = $1', [sealed])
}
