import { maybeOne, type Db } from '#db/pool.ts'
import type { Principal } from './principal.ts'
import { digestsOf, type TokenKeys } from './token-keys.ts'

/**
 * Whom a ticket would let in: the owner of the token that it was made with, in its organization only. Undefined for one
 * that is unknown, used, expired, or whose token is good no more. The ticket stays good until it is spent.
 */
export async function findTicketOwner(db: Db, keys: TokenKeys, secret: string): Promise<Principal | undefined> {
  const owner = await maybeOne<Omit<Principal, 'kind' | 'isInstanceAdmin' | 'rolesSeen'>>(
    db,
    `select c.id as "credentialId", c.user_id, t.organization_id, c.scopes
     from stream_tickets t join credentials c on c.id = t.credential_id
     where t.digest = any($1) and t.expires_at > now()
       and c.kind = 'token' and c.revoked_at is null and (c.expires_at is null or c.expires_at > $2)`,
    [digestsOf(keys, secret), keys.clock.now()],
  )
  return owner && { ...owner, isInstanceAdmin: false, kind: 'token', rolesSeen: new Map() }
}
