import { one, rows, type Db } from '#db/pool.ts'
import { userColumns, userTables, type User } from './user.ts'

export type ListUsers = { organizationId: number; skip: number; limit: number }

/** The members of the organization, oldest first. */
export async function listUsers(
  db: Db,
  { organizationId, skip, limit }: ListUsers,
): Promise<{ items: User[]; total: number }> {
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from memberships where organization_id = $1',
    [organizationId],
  )
  const items = await rows<User>(
    db,
    `select ${userColumns} from ${userTables} where m.organization_id = $1 order by u.id limit $2 offset $3`,
    [organizationId, limit, skip],
  )
  return { items, total }
}
