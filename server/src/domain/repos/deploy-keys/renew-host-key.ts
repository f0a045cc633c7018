import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Db } from '#db/pool.ts'
import { hostKeyPlace, readHostKey } from './host-key.ts'

/** Seals the host key anew that the previous secret key has sealed, so that it is needed no more. */
export async function renewHostKey(db: Db, box: SecretBox): Promise<void> {
  const known = await readHostKey(db, box)
  const sealed = known && box.renew(known.sealed, hostKeyPlace)
  if (sealed) await db.query('update ssh_host_key set sealed = $1', [sealed])
}
