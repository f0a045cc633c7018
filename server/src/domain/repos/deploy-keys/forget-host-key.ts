import type { Db } from '#db/pool.ts'
import type { SecretKeys } from '#domain/repos/secrets/find-lost-secrets.ts'
import { readHostKey } from './host-key.ts'

/** Removes a host key that neither secret key opens; the next start makes another one. Answers whether there was one. */
export async function forgetHostKey(db: Db, keys: SecretKeys): Promise<boolean> {
  const known = await readHostKey(db, keys)
  if (!known || known.privateKey !== undefined) return false
  await db.query('delete from ssh_host_key')
  return true
}
