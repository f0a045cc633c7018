import type { Json } from '#base/json.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { SecretKeys } from '#domain/repos/secrets/find-lost-secrets.ts'

/** By which clients know the service over SSH. */
export type HostKey = { privateKey: string; fingerprint: string }

/** What it is sealed for. */
export const hostKeyPlace: Json = ['ssh host key']

/** As it is stored; without `privateKey` where neither secret key opens it. Undefined where none was made yet. */
export async function readHostKey(
  db: Db,
  { box, previous }: SecretKeys,
): Promise<{ fingerprint: string; privateKey: string | undefined; isStale: boolean } | undefined> {
  const kept = await maybeOne<{ fingerprint: string; sealed: Buffer }>(
    db,
    'select fingerprint, sealed from ssh_host_key',
  )
  if (!kept) return undefined
  const opened = box.open(kept.sealed, hostKeyPlace)
  const privateKey = (opened ?? previous?.open(kept.sealed, hostKeyPlace))?.toString()
  return { fingerprint: kept.fingerprint, privateKey, isStale: !opened }
}
