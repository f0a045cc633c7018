import type { HostActor } from '#base/hosts/host-event.ts'
import type { Db } from '#db/pool.ts'
import { findRole } from './find-role.ts'
import { roleMay } from '#domain/accounts/users/roles.ts'

/** What somebody may do in repositories of the built-in host, in the words of a code host. */
export async function getHostPermission(
  db: Db,
  { organizationId, actor }: { organizationId: number; actor: HostActor },
): Promise<'none' | 'read' | 'write' | 'admin'> {
  const userId = Number(actor.hostUserId)
  if (!Number.isSafeInteger(userId)) return 'none'
  const role = (await findRole(db, { organizationId, userId })) ?? null
  if (roleMay(role, 'manage_settings')) return 'admin'
  if (roleMay(role, 'use_agents')) return 'write'
  return roleMay(role, 'read') ? 'read' : 'none'
}
