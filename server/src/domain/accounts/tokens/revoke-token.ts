import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { forgetPrincipal } from './find-principal.ts'
import type { TokenKeys } from './token-keys.ts'

export type RevokeToken = {
  organizationId: number
  tokenId: number
  /** Only if it is this user's; null: whoever's. */
  userId: number | null
}

/** Ends a token: in this process at once, in others as soon as they look again. Throws `token_not_found`. */
export async function revokeToken(
  db: Db,
  keys: TokenKeys,
  { organizationId, tokenId, userId }: RevokeToken,
): Promise<void> {
  const { rowCount } = await db.query(
    `update credentials set revoked_at = now()
     where organization_id = $1 and id = $2 and kind = 'token' and revoked_at is null and ($3::bigint is null or user_id = $3)`,
    [organizationId, tokenId, userId],
  )
  if (!rowCount)
    throw new AppError('token_not_found', { message: `There is no token ${tokenId} in this organization.` })
  forgetPrincipal(keys, tokenId)
}
