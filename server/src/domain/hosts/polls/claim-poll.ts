import { hostLimits } from '#base/hosts/host-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { IntegrationKind } from '#domain/hosts/integrations/integration.ts'

/** A repository that is to be looked at, and since when. */
export type HostPoll = {
  organizationId: number
  repoId: number
  path: string
  kind: IntegrationKind
  claimId: string
  /** What was seen before then. */
  seenAt: Date
  /** When this look begins. */
  now: Date
  idle: number
}

/** Takes the repository that has waited longest and that nobody else is looking at. */
export async function claimPoll(db: Db): Promise<HostPoll | undefined> {
  return maybeOne<HostPoll>(
    db,
    `update host_polls p set claim_id = gen_random_uuid(), claimed_until = now() + $1 * interval '1 millisecond'
     from (
       select p.organization_id, p.repo_id, r.path, i.kind from host_polls p
       join repos r on r.organization_id = p.organization_id and r.id = p.repo_id
       join integrations i on i.organization_id = r.organization_id and i.id = r.integration_id
       where p.due_at <= now() and (p.claimed_until is null or p.claimed_until <= now())
         and i.active and r.removed_at is null and not r.archived
       order by p.due_at limit 1 for update of p skip locked) as next
     where p.organization_id = next.organization_id and p.repo_id = next.repo_id
     returning p.organization_id as "organizationId", p.repo_id as "repoId", next.path, next.kind,
       p.claim_id as "claimId", p.seen_at as "seenAt",
       now() as now, p.idle`,
    [hostLimits.hostPollClaimMs],
  )
}
