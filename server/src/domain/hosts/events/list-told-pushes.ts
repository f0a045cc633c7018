import type { HostPush } from '#base/hosts/host-facts.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { rows, type Db } from '#db/pool.ts'

export type ListToldPushes = { organizationId: number; repoId: number; branch: string }

/** What was told of pushes to a branch lately, the newest first; one may be told twice. */
export async function listToldPushes(db: Db, { organizationId, repoId, branch }: ListToldPushes): Promise<HostPush[]> {
  return rows<HostPush>(
    db,
    `select event->>'before' as before, event->>'after' as after, event->'actor' as actor from host_events
     where organization_id = $1 and repo_id = $2 and subject = 'branch:' || $3 and event->>'type' = 'push'
     order by id desc limit $4`,
    [organizationId, repoId, branch, hostLimits.pushesReadMax],
  )
}
