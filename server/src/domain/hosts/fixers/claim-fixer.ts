import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { fixerColumns, type Fixer } from '#domain/hosts/fixer.ts'

export type ClaimedAgent = Fixer & { claimId: string }

/** One whose pull request is due to be looked at, for nobody else until the claim expires. */
export async function claimFixer(db: Db): Promise<ClaimedAgent | undefined> {
  return maybeOne<ClaimedAgent>(
    db,
    `update pull_agents set claim_id = gen_random_uuid(), claimed_until = now() + $1 * interval '1 millisecond', looked_at = now()
     where (organization_id, pull_id) in (
       select organization_id, pull_id from pull_agents
       where due_at <= now() and (claimed_until is null or claimed_until <= now())
       order by due_at limit 1 for update skip locked)
     returning ${fixerColumns}, claim_id as "claimId"`,
    [limits.agentClaimMs],
  )
}
