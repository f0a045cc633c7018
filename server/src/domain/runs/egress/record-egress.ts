import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { isOfRun, recordedAs, type ProxyHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import type { EgressRequest } from '#domain/repos/egress/egress.ts'

/**
 * Records what a sandbox asks of the network, before any of it is done. Answers the number of each; null for what is beyond
 * the room that there is, and only counted. Throws `LeaseLost`: who does not hold it reaches nothing for it.
 */
export async function recordEgress(
  db: Db,
  { holder, requests }: { holder: ProxyHolder; requests: readonly EgressRequest[] },
): Promise<(number | null)[]> {
  const { organizationId, leaseId } = holder
  const { column, id } = recordedAs(holder)
  const counted = await maybeOne<{ before: number }>(
    db,
    `with counted as (
       insert into egress_counts as c (organization_id, ${column}, asked, refused)
       select $1, $2, $4, $5 from ${isOfRun(holder) ? heldRun : heldSandbox}
       on conflict (organization_id, ${column}) do update set asked = c.asked + excluded.asked, refused = c.refused + excluded.refused
       returning asked - $4 as before),
     recorded as (
       insert into egress_requests (organization_id, ${column}, n, lease_id, name, port, allowed, reason)
       select $1, $2, before + i, $3, name, port, allowed, reason
       from counted, unnest($6::text[], $7::int[], $8::boolean[], $9::text[]) with ordinality r (name, port, allowed, reason, i)
       where before + i <= ${limits.egressRequestsMax})
     select before from counted`,
    [
      organizationId,
      id,
      leaseId,
      requests.length,
      requests.filter(({ isAllowed }) => !isAllowed).length,
      requests.map(({ name }) => name),
      requests.map(({ port }) => port),
      requests.map(({ isAllowed }) => isAllowed),
      requests.map(({ reason }) => reason),
    ],
  )
  if (!counted) throw new LeaseLost(id)
  return requests.map((_, index) => {
    const n = counted.before + index + 1
    return n <= limits.egressRequestsMax ? n : null
  })
}

const heldRun = 'run_heads where organization_id = $1 and run_id = $2 and lease_id = $3'
const heldSandbox = 'sandboxes where organization_id = $1 and id = $2 and lease_id = $3 and ended_at is null'
