import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { roleMay, type Permission } from '#domain/accounts/users/roles.ts'
import { findRole } from './find-role.ts'

export type RequirePermission = { organizationId: number; userId: number; permission: Permission }

/** For work that takes long: whether the user may still do it. Throws `forbidden`. */
export async function requirePermission(db: Db, { permission, ...member }: RequirePermission): Promise<void> {
  const role = await findRole(db, member)
  if (!roleMay(role ?? null, permission)) throw new AppError('forbidden')
}
