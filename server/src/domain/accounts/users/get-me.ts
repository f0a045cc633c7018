import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { userColumns, userTables, type Me } from './user.ts'

/** The user itself, with its role in the given organization; null: in the first of its organizations. */
export async function getMe(
  db: Db,
  { userId, organizationId }: { userId: number; organizationId: number | null },
): Promise<Me> {
  const user = await maybeOne<Me>(
    db,
    `select ${userColumns}, u.custom_prompt from ${userTables} where u.id = $1 and ($2::bigint is null or m.organization_id = $2)
     order by m.organization_id limit 1`,
    [userId, organizationId],
  )
  if (!user)
    throw new AppError('forbidden', { message: 'You are no longer a member of the organization of this token.' })
  return user
}
