import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getUser } from '#domain/users/get-user.ts'
import type { User } from '#domain/users/user.ts'
import { keepAnAdmin } from './keep-an-admin.ts'
import type { Role } from './roles.ts'

export type UpdateMember = { organizationId: number; userId: number; role: Role }

/** Gives a member another role. Throws `user_not_found`, and `last_admin` rather than leave no ADMIN. */
export async function updateMember(db: Db, { organizationId, userId, role }: UpdateMember): Promise<User> {
  return inTransaction(db, async (tx) => {
    if (role !== 'ADMIN') await keepAnAdmin(tx, { organizationId, userId })
    const { rowCount } = await tx.query(
      'update memberships set role = $3 where organization_id = $1 and user_id = $2',
      [organizationId, userId, role],
    )
    if (!rowCount) {
      throw new AppError('user_not_found', { message: `There is no user ${userId} in this organization.` })
    }
    return getUser(tx, { organizationId, userId })
  })
}
