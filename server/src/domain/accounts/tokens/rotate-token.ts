import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Scope } from '#domain/accounts/users/roles.ts'
import { forgetPrincipal } from './find-principal.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'
import { newTokenText, tokenEnds } from './token-text.ts'
import { tokenColumns, type Token } from './token.ts'

export type RotateToken = {
  organizationId: number
  tokenId: number
  /** Only if it is this user's; null: whoever's. */
  userId: number | null
  /** The most that it may have: a token hands out no secret of one that is wider than itself. */
  scopesMax: Scope[]
}

/**
 * Gives a token another secret; the old one ends, in this process at once, in others as soon as they look again.
 * Throws `token_not_found`, `forbidden`, and `conflict` for a token that has expired.
 */
export async function rotateToken(
  db: Db,
  keys: TokenKeys,
  { organizationId, tokenId, userId, scopesMax }: RotateToken,
): Promise<{ token: Token; secret: string }> {
  const secret = newTokenText()
  const token = await inTransaction(db, async (tx) => {
    const before = await maybeOne<Token>(
      tx,
      `select ${tokenColumns} from credentials c where c.organization_id = $1 and c.id = $2 and c.kind = 'token'
         and c.revoked_at is null and ($3::bigint is null or c.user_id = $3) for update`,
      [organizationId, tokenId, userId],
    )
    if (!before)
      throw new AppError('token_not_found', { message: `There is no token ${tokenId} in this organization.` })
    checkMayRotate(before, { scopesMax, now: keys.clock.now() })
    return one<Token>(
      tx,
      `update credentials c set digest = $3, prefix = $4, last4 = $5, key_mark = $6 where c.organization_id = $1 and c.id = $2
       returning ${tokenColumns}`,
      [organizationId, tokenId, digestOf(keys, secret), ...tokenEnds(secret), keys.mark],
    )
  })
  forgetPrincipal(keys, tokenId)
  return { token, secret }
}

function checkMayRotate(token: Token, { scopesMax, now }: { scopesMax: Scope[]; now: Date }): void {
  const beyond = token.scopes.find((scope) => !scopesMax.includes(scope))
  if (beyond) {
    throw new AppError('forbidden', { message: `This token has the scope ${beyond}, which your token does not have.` })
  }
  if (token.expiresAt && token.expiresAt <= now) {
    throw new AppError('conflict', { message: 'This token has expired. Create a new one.' })
  }
}
