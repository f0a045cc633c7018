import { rows, type Db } from '#db/pool.ts'

/** A token at work in an organization. */
export type TokenUse = { credentialId: number; organizationId: number }

/** Which of these may go on: the token is neither revoked nor expired, and its owner is a member still. */
export function listGood(db: Db, uses: TokenUse[]): Promise<TokenUse[]> {
  return rows<TokenUse>(
    db,
    `select distinct c.id as "credentialId", m.organization_id
     from unnest($1::bigint[], $2::bigint[]) as used (credential_id, organization_id)
       join credentials c on c.id = used.credential_id and c.revoked_at is null and (c.expires_at is null or c.expires_at > now())
       join memberships m on m.organization_id = used.organization_id and m.user_id = c.user_id`,
    [uses.map((use) => use.credentialId), uses.map((use) => use.organizationId)],
  )
}
