import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'
import { newTokenText, tokenEnds } from './token-text.ts'
import { tokenColumns, type Token } from './token.ts'

export type CreateToken = { organizationId: number; userId: number; name: string; expiresAt: Date | null }

/** Makes a token for a member. Its secret is in this answer and nowhere else. Throws `user_not_found`. */
export async function createToken(
  db: Db,
  keys: TokenKeys,
  { organizationId, userId, name, expiresAt }: CreateToken,
): Promise<{ token: Token; secret: string }> {
  const secret = newTokenText()
  const token = await maybeOne<Token>(
    db,
    `insert into credentials as c (organization_id, user_id, kind, name, digest, prefix, last4, expires_at)
     select m.organization_id, m.user_id, 'token', $3, $4, $5, $6, $7 from memberships m where m.organization_id = $1 and m.user_id = $2
     returning ${tokenColumns}`,
    [organizationId, userId, name, digestOf(keys, secret), ...tokenEnds(secret), expiresAt],
  )
  if (!token) throw new AppError('user_not_found', { message: `There is no user ${userId} in this organization.` })
  return { token, secret }
}
