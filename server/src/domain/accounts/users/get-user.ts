import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { userColumns, userTables, type User } from './user.ts'

export type GetUser = { organizationId: number; userId: number }

/** A member of the organization. Throws `user_not_found`. */
export async function getUser(db: Db, { organizationId, userId }: GetUser): Promise<User> {
  const user = await maybeOne<User>(
    db,
    `select ${userColumns} from ${userTables} where m.organization_id = $1 and u.id = $2`,
    [organizationId, userId],
  )
  if (!user) throw new AppError('user_not_found', { message: `There is no user ${userId} in this organization.` })
  return user
}
