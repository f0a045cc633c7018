import type { HostEvent } from '#base/hosts/host-event.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'

/** An event that somebody is at work on until the claim expires; `tries` counts this one too, and names the claim. */
export type ClaimedEvent = { organizationId: number; id: number; repoId: number; event: HostEvent; tries: number }

/** Any number that nothing else locks. */
const lockId = 727_027

/**
 * Takes events that nobody else may be at work on: the first of each subject of which none is being worked off. What was
 * claimed before and not finished in time, as by a worker that was lost, is claimed again.
 */
export async function claimHostEvents(db: Db): Promise<ClaimedEvent[]> {
  return inTransaction(db, async (tx) => {
    // Claims are made one after the other: two at once could take two events of one subject, of which one came to light late.
    await tx.query('select pg_advisory_xact_lock($1)', [lockId])
    const claimed = await rows<ClaimedEvent>(
      tx,
      `update host_events e set claimed_until = now() + $1 * interval '1 millisecond', tries = tries + 1
       from (
         select organization_id, id from host_events w
         where done_at is null and due_at <= now() and (claimed_until is null or claimed_until <= now()) and not exists (
           select from host_events o where o.organization_id = w.organization_id and o.repo_id = w.repo_id and o.subject = w.subject
             and o.done_at is null and (o.id < w.id or o.id > w.id and o.claimed_until > now()))
         order by due_at, id limit $2 for update skip locked) as next
       where e.organization_id = next.organization_id and e.id = next.id
       returning e.organization_id as "organizationId", e.id, e.repo_id as "repoId", e.event, e.tries`,
      [hostLimits.hostEventClaimMs, hostLimits.hostEventsAtOnceMax],
    )
    return claimed.toSorted((a, b) => a.id - b.id)
  })
}
