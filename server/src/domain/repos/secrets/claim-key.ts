import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { acceptedKeys, type SecretKey, type SecretKeys } from '#base/secrets/secret-key.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { digestOf as digestOfToken } from '#domain/accounts/tokens/token-keys.ts'

export type ClaimKey = SecretKeys & {
  /** The operator's own token; a database of before there were fingerprints is known by how it was digested. */
  adminToken?: { text: string; ends: readonly [prefix: string, last4: string] }
}

/** Any number that nothing else locks: of processes that start at once, each sees what the one before it has done. */
const lockId = 727_003
const saltBytes = 16

/**
 * Whether this process has the secret key that the database's tokens and secrets are made with. The first process that asks
 * makes its key the database's, unless what is there says otherwise; one that was given the present key as the previous one puts
 * its new key in its place, and from then on those are refused that have the old one and do not know the new one as the next.
 */
export async function claimKey(db: Db, options: ClaimKey): Promise<boolean> {
  const { key, previous, next } = options
  return inTransaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [lockId])
    const known = await maybeOne<Fingerprint>(tx, 'select salt, digest from key_fingerprint')
    if (known && (isFingerprintOf(key, known) || (next && isFingerprintOf(next, known)))) return true
    const isFree = known ? previous && isFingerprintOf(previous, known) : await isUnclaimed(tx, options)
    if (isFree) await setKey(tx, key)
    return isFree ?? false
  })
}

/** Makes it the database's, whatever was: for an operator who has lost the one before. */
export async function setKey(db: Db, key: SecretKey): Promise<void> {
  const salt = randomBytes(saltBytes)
  await db.query(
    `insert into key_fingerprint (salt, digest) values ($1, $2)
     on conflict (only_one) do update set salt = excluded.salt, digest = excluded.digest, set_at = now()`,
    [salt, digestOf(key, salt)],
  )
}

/** By which a key is known without being kept. */
export type Fingerprint = { salt: Buffer; digest: Buffer }

export function isFingerprintOf(key: SecretKey, { salt, digest }: Fingerprint): boolean {
  return timingSafeEqual(digestOf(key, salt), digest)
}

const digestOf = (key: SecretKey, salt: Buffer) => createHmac('sha256', key.derive('fingerprint')).update(salt).digest()

/** In a database of before there were fingerprints: false where the admin token that is given was digested with another key. */
async function isUnclaimed(tx: Db, { adminToken, ...keys }: ClaimKey): Promise<boolean> {
  if (!adminToken) return true
  const [prefix, last4] = adminToken.ends
  const kept = await maybeOne<{ digest: Buffer }>(
    tx,
    `select digest from credentials where name = 'RUNWRIGHT_ADMIN_TOKEN' and organization_id is null and revoked_at is null
       and prefix = $1 and last4 = $2`,
    [prefix, last4],
  )
  const isDigestOf = (each: SecretKey) =>
    kept?.digest.equals(digestOfToken({ pepper: each.derive('tokens') }, adminToken.text))
  return !kept || acceptedKeys(keys).some(isDigestOf)
}
