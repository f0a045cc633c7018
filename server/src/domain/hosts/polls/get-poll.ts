import { hostLimits } from '#base/hosts/host-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { IntegrationKind } from '#domain/hosts/integrations/integration.ts'

/** A repository that is to be looked at, and since when. */
export type HostPoll = {
  repoId: number
  path: string
  kind: IntegrationKind
  /** What was seen before then. */
  seenAt: Date
  /** Since when we know it: what was before then is nothing that anybody has asked of us. */
  knownAt: Date
  /** When this look begins. */
  now: Date
  idle: number
  /** Whether its host's webhooks have arrived lately: then a look is only for what they may have missed. */
  hasWebhooks: boolean
}

/** What a job is to look at; undefined where nobody wants that any more. */
export async function getPoll(
  db: Db,
  { organizationId, ref }: Pick<ClaimedJob, 'organizationId' | 'ref'>,
): Promise<HostPoll | undefined> {
  return maybeOne<HostPoll>(
    db,
    `select p.repo_id, r.path, i.kind, p.seen_at, r.created_at as known_at, now() as now, p.idle,
       coalesce(h.digest is not null or i.app_id is not null, false) and coalesce((
         select d.received_at > now() - $3 * interval '1 millisecond' from webhook_deliveries d
         where d.organization_id = i.organization_id and d.integration_id = i.id order by d.id desc limit 1), false) as "hasWebhooks"
     from host_polls p
       join repos r on r.organization_id = p.organization_id and r.id = p.repo_id
       join integrations i on i.organization_id = r.organization_id and i.id = r.integration_id
       left join repo_hooks h on h.organization_id = r.organization_id and h.repo_id = r.id
     where p.organization_id = $1 and p.repo_id = $2 and i.active and i.halted is null and r.removed_at is null and not r.archived`,
    [organizationId, ref, hostLimits.hostPollActiveMs],
  )
}
