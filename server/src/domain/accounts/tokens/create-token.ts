import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { scopesOfRole, widenScopes, type Role, type Scope } from '#domain/accounts/users/roles.ts'
import { digestOf, type TokenKeys } from './token-keys.ts'
import { newTokenText, tokenEnds } from './token-text.ts'
import { tokenColumns, type Token } from './token.ts'

export type CreateToken = {
  organizationId: number
  userId: number
  name: string
  /** Null: all that the user's role may. */
  scopes: Scope[] | null
  /** The most that it may have: a token makes none that is wider than itself. */
  scopesMax: Scope[]
  expiresAt: Date | null
}

/** Makes a token for a member. Its secret is in this answer and nowhere else. Throws `user_not_found`, `forbidden`, `conflict`. */
export async function createToken(
  db: Db,
  keys: TokenKeys,
  { organizationId, userId, name, scopes, scopesMax, expiresAt }: CreateToken,
): Promise<{ token: Token; secret: string }> {
  const secret = newTokenText()
  return inTransaction(db, async (tx) => {
    const role = await lockRole(tx, { organizationId, userId })
    await checkRoom(tx, { organizationId, userId })
    const token = await one<Token>(
      tx,
      `insert into credentials as c (organization_id, user_id, kind, name, digest, prefix, last4, scopes, expires_at, key_mark)
       values ($1, $2, 'token', $3, $4, $5, $6, $7, $8, $9) returning ${tokenColumns}`,
      [
        organizationId,
        userId,
        name,
        digestOf(keys, secret),
        ...tokenEnds(secret),
        chooseScopes({ role, scopes, scopesMax }),
        expiresAt,
        keys.mark,
      ],
    )
    return { token, secret }
  })
}

/** However many are made at once: each waits for the one before. Tokens of which nobody knows how they are used are a risk. */
async function checkRoom(tx: Db, ids: { organizationId: number; userId: number }): Promise<void> {
  const { count } = await one<{ count: number }>(
    tx,
    `select count(*)::int as count from credentials
     where organization_id = $1 and user_id = $2 and kind = 'token' and revoked_at is null
       and (expires_at is null or expires_at > now())`,
    [ids.organizationId, ids.userId],
  )
  if (count < limits.tokensPerMemberMax) return
  const message = `A member has at most ${limits.tokensPerMemberMax} tokens that are good: revoke one that is not used any more.`
  throw new AppError('conflict', { message })
}

/** Held until the token is there, so that whoever removes the member meanwhile finds it and ends it. */
async function lockRole(tx: Db, { organizationId, userId }: { organizationId: number; userId: number }): Promise<Role> {
  const membership = await maybeOne<{ role: Role }>(
    tx,
    'select role from memberships where organization_id = $1 and user_id = $2 for no key update',
    [organizationId, userId],
  )
  if (!membership) throw new AppError('user_not_found', { message: `There is no user ${userId} in this organization.` })
  return membership.role
}

function chooseScopes({
  role,
  scopes,
  scopesMax,
}: { role: Role } & Pick<CreateToken, 'scopes' | 'scopesMax'>): Scope[] {
  if (!scopes) return scopesOfRole(role).filter((scope) => scopesMax.includes(scope))
  const widened = widenScopes(scopes)
  const beyond = widened.find((scope) => !scopesMax.includes(scope))
  if (beyond) {
    throw new AppError('forbidden', {
      message: `Your token cannot grant the scope ${beyond} because it does not have it.`,
    })
  }
  return widened
}
