import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { saveGithubAccount } from '#domain/accounts/host-accounts/save-github-account.ts'
import { getUser } from '#domain/accounts/users/get-user.ts'
import type { User } from '#domain/accounts/users/user.ts'
import { keepAnAdmin } from './keep-an-admin.ts'
import type { Role } from '#domain/accounts/users/roles.ts'

/** What is undefined stays as it is. */
export type UpdateMember = {
  organizationId: number
  userId: number
  role?: Role | undefined
  /** Who the member is on GitHub; null: nobody. */
  github?: { id: string; login: string } | null | undefined
}

/**
 * Gives a member another role, or says who it is on GitHub. Throws `user_not_found`, `conflict` where another member is that
 * one already, and `last_admin` rather than leave no ADMIN.
 */
export async function updateMember(db: Db, { organizationId, userId, role, github }: UpdateMember): Promise<User> {
  return inTransaction(db, async (tx) => {
    if (role !== undefined && role !== 'ADMIN') await keepAnAdmin(tx, { organizationId, userId })
    const { rowCount } = await tx.query(
      'update memberships set role = coalesce($3, role) where organization_id = $1 and user_id = $2',
      [organizationId, userId, role],
    )
    if (!rowCount) {
      throw new AppError('user_not_found', { message: `There is no user ${userId} in this organization.` })
    }
    if (github !== undefined) await saveGithubAccount(tx, { organizationId, userId, account: github })
    return getUser(tx, { organizationId, userId })
  })
}
