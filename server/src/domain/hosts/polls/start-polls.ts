import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'

/** Has repositories of other hosts looked at from now on that are not yet. */
export async function startPolls(db: Db): Promise<void> {
  await db.query(
    `insert into host_polls (organization_id, repo_id)
     select r.organization_id, r.id from repos r
     where r.integration_id is not null and not exists (
       select from host_polls p where p.organization_id = r.organization_id and p.repo_id = r.id)
     limit $1 on conflict do nothing`,
    [hostLimits.hostPollsStartedMax],
  )
}
