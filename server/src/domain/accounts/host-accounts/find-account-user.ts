import type { HostActor } from '#base/hosts/host-event.ts'
import { maybeOne, type Db } from '#db/pool.ts'

/** The member who somebody on a host is; null where nobody has linked them. */
export async function findAccountUser(
  db: Db,
  { organizationId, host, actor }: { organizationId: number; host: string; actor: HostActor },
): Promise<number | null> {
  const found = await maybeOne<{ userId: number }>(
    db,
    `select m.user_id from memberships m where m.organization_id = $1 and (
       $2 = 'local' and m.user_id::text = $3
       or exists (select from host_accounts a where a.organization_id = $1 and a.host = $2 and a.host_user_id = $3 and a.user_id = m.user_id))`,
    [organizationId, host, actor.hostUserId],
  )
  return found?.userId ?? null
}
