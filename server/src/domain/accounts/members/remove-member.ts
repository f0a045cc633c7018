import { AppError } from '#base/errors.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { forgetPrincipal } from '#domain/accounts/tokens/find-principal.ts'
import type { TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { keepAnAdmin } from './keep-an-admin.ts'

export type RemoveMember = { organizationId: number; userId: number }

/**
 * Takes somebody out of the organization and ends their tokens of it for good: who is invited again makes new ones.
 * What they made stays. Throws `user_not_found`, and `last_admin` rather than leave no ADMIN.
 */
export async function removeMember(db: Db, keys: TokenKeys, { organizationId, userId }: RemoveMember): Promise<void> {
  const ended = await inTransaction(db, async (tx) => {
    await keepAnAdmin(tx, { organizationId, userId })
    const { rowCount } = await tx.query('delete from memberships where organization_id = $1 and user_id = $2', [
      organizationId,
      userId,
    ])
    if (!rowCount) {
      throw new AppError('user_not_found', { message: `There is no user ${userId} in this organization.` })
    }
    return rows<{ id: number }>(
      tx,
      `update credentials set revoked_at = now()
       where organization_id = $1 and user_id = $2 and revoked_at is null returning id`,
      [organizationId, userId],
    )
  })
  for (const { id } of ended) forgetPrincipal(keys, id)
}
