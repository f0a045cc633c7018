import { maybeOne, type Db } from '#db/pool.ts'
import type { Role } from '#domain/accounts/users/roles.ts'

/** What the user is in the organization; undefined where it is no member, or where there is no such organization. */
export async function findRole(
  db: Db,
  { organizationId, userId }: { organizationId: number; userId: number },
): Promise<Role | undefined> {
  const membership = await maybeOne<{ role: Role }>(
    db,
    { name: 'find-role', text: 'select role from memberships where organization_id = $1 and user_id = $2' },
    [organizationId, userId],
  )
  return membership?.role
}
