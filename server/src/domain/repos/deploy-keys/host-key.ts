import type { Json } from '#base/json.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import { maybeOne, type Db } from '#db/pool.ts'

/** By which clients know the service over SSH. */
export type HostKey = { privateKey: string; fingerprint: string }

/** What it is sealed for. */
export const hostKeyPlace: Json = ['ssh host key']

/** As it is stored; without `privateKey` where no secret key opens it. Undefined where none was made yet. */
export async function readHostKey(
  db: Db,
  box: SecretBox,
): Promise<{ fingerprint: string; privateKey: string | undefined; sealed: Buffer } | undefined> {
  const kept = await maybeOne<{ fingerprint: string; sealed: Buffer }>(
    db,
    'select fingerprint, sealed from ssh_host_key',
  )
  if (!kept) return undefined
  return { ...kept, privateKey: box.open(kept.sealed, hostKeyPlace)?.toString() }
}
