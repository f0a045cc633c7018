import { hostLimits } from '#base/hosts/host-limits.ts'
import type { Db } from '#db/pool.ts'

/** Has repositories of other hosts polled from now on that are not yet, or are again. */
export async function startPolls(db: Db): Promise<void> {
  await db.query(
    `with missing as (
       select r.organization_id, r.id from repos r
         join integrations i on i.organization_id = r.organization_id and i.id = r.integration_id
       where i.active and i.halted is null and r.removed_at is null and not r.archived and not exists (
         select from jobs j where j.organization_id = r.organization_id and j.kind = 'poll' and j.ref = r.id::text)
       limit $1),
     polls as (insert into host_polls (organization_id, repo_id) select organization_id, id from missing on conflict do nothing)
     select request_job(organization_id, 'poll', id::text) from missing`,
    [hostLimits.hostPollsStartedMax],
  )
}
