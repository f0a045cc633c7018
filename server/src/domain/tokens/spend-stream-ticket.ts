import { maybeOne, type Db } from '#db/pool.ts'
import type { Principal } from './principal.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'

/**
 * Whom a ticket lets in: the owner of the token that it was made with, in its organization only. Undefined for one that
 * is unknown, used, expired, or whose token is good no more. Whoever deletes the row has used it, so one use is exact.
 */
export async function spendStreamTicket(db: Db, keys: TokenKeys, secret: string): Promise<Principal | undefined> {
  const owner = await maybeOne<Omit<Principal, 'kind' | 'isInstanceAdmin'>>(
    db,
    `with spent as (
       delete from stream_tickets where digest = $1 returning organization_id, credential_id, expires_at)
     select c.id as "credentialId", c.user_id as "userId", s.organization_id as "organizationId", c.scopes
     from spent s join credentials c on c.id = s.credential_id
     where s.expires_at > now() and c.kind = 'token' and c.revoked_at is null and (c.expires_at is null or c.expires_at > $2)`,
    [digestOf(keys, secret), keys.clock.now()],
  )
  return owner && { ...owner, isInstanceAdmin: false, kind: 'token' }
}
