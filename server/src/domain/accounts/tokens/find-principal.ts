import { hash } from 'node:crypto'
import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { Role } from '#domain/accounts/users/roles.ts'
import type { Principal } from './principal.ts'
import { renewDigest } from './renew-digest.ts'
import { digestsToFind, isStale, type TokenKeys } from './token-keys.ts'

type Row = FoundRow & { expiresAt: Date | null; lastUsedAt: Date | null; digest: Buffer }

/** The owner of a good token; undefined for one that is unknown, expired or revoked. */
export async function findPrincipal(db: Db, keys: TokenKeys, secret: string): Promise<Principal | undefined> {
  return rememberPrincipal(keys, { kind: 'token', secret }, async (now) => {
    const digests = digestsToFind(keys, secret)
    if (!digests) return undefined
    const row = await findRow(db, digests)
    if (!row || (row.expiresAt && now >= row.expiresAt.getTime())) return undefined
    if (isStale(keys, secret, row.digest)) await renewDigest(db, keys, secret)
    if (!row.lastUsedAt || now - row.lastUsedAt.getTime() >= limits.tokenUseMs)
      await recordUse(db, row.credentialId, new Date(now))
    const { expiresAt, lastUsedAt: _, digest: __, ...owner } = row
    return { principal: principalOf(owner, 'token'), expiresAt }
  })
}

/** A principal as it is stored, and what its user is in the organization to which it is bound. */
export type FoundRow = Omit<Principal, 'kind' | 'rolesSeen'> & { role: Role | null }

/** What a statement selects to get a `FoundRow`, from `credentials c` and these. */
export const principalColumns = `c.id as "credentialId", c.user_id, c.organization_id,
  u.is_admin and c.organization_id is null as "isInstanceAdmin", c.scopes, m.role`
export const principalJoins = `join users u on u.id = c.user_id
  left join memberships m on m.organization_id = c.organization_id and m.user_id = c.user_id`

export function principalOf({ role, ...owner }: FoundRow, kind: Principal['kind']): Principal {
  const { organizationId } = owner
  return { ...owner, kind, rolesSeen: new Map(organizationId !== null && role ? [[organizationId, role]] : []) }
}

type Found = { principal: Principal; expiresAt: Date | null }

/** Who was seen good a moment ago is good without a look at the database. */
export async function rememberPrincipal(
  keys: TokenKeys,
  { kind, secret }: { kind: Principal['kind']; secret: string },
  find: (now: number) => Promise<Found | undefined>,
): Promise<Principal | undefined> {
  // Only ever in memory, so it needs no pepper; and it is much quicker.
  const key = hash('sha256', `${kind} ${secret}`, 'base64')
  const now = keys.clock.now().getTime()
  const seen = keys.seen.get(key)
  if (seen && now < seen.goodUntil) return seen.principal
  keys.seen.delete(key)
  const found = await find(now)
  if (!found) return undefined
  const { principal, expiresAt } = found
  keep(keys, key, { principal, goodUntil: Math.min(now + limits.principalCacheMs, expiresAt?.getTime() ?? Infinity) })
  return principal
}

/** Makes this process ask the database again about a token of which something changed. */
export function forgetPrincipal(keys: TokenKeys, credentialId: number): void {
  forgetPrincipals(keys, (principal) => principal.credentialId === credentialId)
}

/** The same for everybody of whom something changed. */
export function forgetPrincipals(keys: TokenKeys, hasChanged: (principal: Principal) => boolean): void {
  for (const [key, { principal }] of keys.seen) if (hasChanged(principal)) keys.seen.delete(key)
}

function findRow(db: Db, digests: Buffer[]): Promise<Row | undefined> {
  return maybeOne<Row>(db, findByDigest, [digests])
}

const findByDigest = {
  name: 'find-principal',
  text: `select ${principalColumns}, c.expires_at, c.last_used_at, c.digest
    from credentials c ${principalJoins}
    where c.digest = any($1) and c.kind = 'token' and c.revoked_at is null`,
}

async function recordUse(db: Db, credentialId: number, now: Date): Promise<void> {
  await db.query('update credentials set last_used_at = greatest(last_used_at, $2) where id = $1', [credentialId, now])
}

function keep(keys: TokenKeys, key: string, entry: { principal: Principal; goodUntil: number }): void {
  const oldest = keys.seen.keys().next()
  if (keys.seen.size >= limits.principalsCachedMax && !oldest.done) keys.seen.delete(oldest.value)
  keys.seen.set(key, entry)
}
