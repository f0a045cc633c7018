import type { HostEvent } from '#base/hosts/host-event.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

/** The event that a job is to handle; undefined where it was handled already. */
export async function getHostEvent(
  db: Db,
  { organizationId, ref }: Pick<ClaimedJob, 'organizationId' | 'ref'>,
): Promise<{ repoId: number; event: HostEvent } | undefined> {
  return maybeOne<{ repoId: number; event: HostEvent }>(
    db,
    'select repo_id, event from host_events where organization_id = $1 and id = $2 and done_at is null',
    [organizationId, ref],
  )
}
