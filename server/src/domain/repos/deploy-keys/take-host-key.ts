import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Db } from '#db/pool.ts'
import { hostKeyPlace, readHostKey, type HostKey } from './host-key.ts'

/** The key of the service: the same for all its processes, made by `make` where there is none yet. */
export async function takeHostKey(
  db: Db,
  { box, make }: { box: SecretBox; make: () => Promise<HostKey> },
): Promise<HostKey> {
  const known = await readHostKey(db, box)
  if (!known) {
    const { privateKey, fingerprint } = await make()
    // Another process may make one at the same moment: the first one stays.
    await db.query('insert into ssh_host_key (fingerprint, sealed) values ($1, $2) on conflict do nothing', [
      fingerprint,
      box.seal(Buffer.from(privateKey), hostKeyPlace),
    ])
  }
  const kept = known ?? (await readHostKey(db, box))
  if (kept?.privateKey === undefined)
    throw new Error(
      'The host key for SSH was sealed with another secret key. Give that one as RUNWRIGHT_SECRET_KEY_PREVIOUS. If it is lost, "npm start -- forget-secrets" removes the host key, and the next start makes another one.',
    )
  return { privateKey: kept.privateKey, fingerprint: kept.fingerprint }
}
