import { AppError } from '#base/errors.ts'
import { one, type Db } from '#db/pool.ts'

/**
 * To be called in the transaction that takes a role from a member, before it does: from here on nobody else takes one
 * until that transaction ends. Throws `last_admin` if no other ADMIN would be left.
 */
export async function keepAnAdmin(
  tx: Db,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<void> {
  // Not "for update": whoever only refers to the organization, such as a new run, need not wait.
  await tx.query('select from organizations where id = $1 for no key update', [organizationId])
  const { others, isAdmin } = await one<{ others: number; isAdmin: boolean }>(
    tx,
    `select count(*) filter (where user_id <> $2) as others, coalesce(bool_or(user_id = $2), false) as "isAdmin"
     from memberships where organization_id = $1 and role = 'ADMIN'`,
    [organizationId, userId],
  )
  if (isAdmin && others === 0) throw new AppError('last_admin')
}
