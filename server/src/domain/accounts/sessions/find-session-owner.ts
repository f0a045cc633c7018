import { maybeOne, type Db } from '#db/pool.ts'
import {
  principalColumns,
  principalJoins,
  principalOf,
  rememberPrincipal,
  type FoundRow,
} from '#domain/accounts/tokens/find-principal.ts'
import type { Principal } from '#domain/accounts/tokens/principal.ts'
import { digestOf, digestsOf, isStale, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'

type Row = FoundRow & { expiresAt: Date; digest: Buffer }

/** Whom a session speaks for; undefined for one that is unknown or over, or whose token is good no more. */
export async function findSessionOwner(db: Db, keys: TokenKeys, secret: string): Promise<Principal | undefined> {
  return rememberPrincipal(keys, { kind: 'session', secret }, async (now) => {
    const row = await maybeOne<Row>(db, findByDigest, [digestsOf(keys, secret)])
    if (!row || now >= row.expiresAt.getTime()) return undefined
    const { expiresAt, digest, ...owner } = row
    if (isStale(keys, secret, digest))
      await db.query('update sessions set digest = $2 where digest = $1', [digest, digestOf(keys, secret)])
    return { principal: principalOf(owner, 'session'), expiresAt }
  })
}

const findByDigest = {
  name: 'find-session-owner',
  text: `select ${principalColumns}, least(c.expires_at, s.expires_at) as "expiresAt", s.digest
    from sessions s join credentials c on c.id = s.credential_id and c.digest = s.token_digest ${principalJoins}
    where s.digest = any($1) and c.kind = 'token' and c.revoked_at is null`,
}
