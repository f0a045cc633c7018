import type { HostActor } from '#base/hosts/host-event.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { hostActor } from './host-actor.ts'

/** Who a user is on the built-in host; null where there is none that the caller may see. */
export async function getHostActor(db: Db, { userId }: { userId: number }): Promise<HostActor | null> {
  const found = await maybeOne<{ actor: HostActor }>(db, `select ${hostActor} as actor from users u where u.id = $1`, [
    userId,
  ])
  return found?.actor ?? null
}
