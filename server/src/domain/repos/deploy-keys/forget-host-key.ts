import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Db } from '#db/pool.ts'
import { readHostKey } from './host-key.ts'

/** Removes a host key that no secret key opens; the next start makes another one. Answers whether there was one. */
export async function forgetHostKey(db: Db, box: SecretBox): Promise<boolean> {
  const known = await readHostKey(db, box)
  if (!known || known.privateKey !== undefined) return false
  await db.query('delete from ssh_host_key')
  return true
}
