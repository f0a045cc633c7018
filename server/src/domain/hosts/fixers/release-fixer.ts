import type { Db } from '#db/pool.ts'
import type { ClaimedAgent } from './claim-fixer.ts'

export type ReleaseFixer = {
  agent: Pick<ClaimedAgent, 'organizationId' | 'pullId' | 'claimId' | 'wakes'>
  /** When to look again; null: not before something happens. */
  dueAt: Date | null
  /** Whether it was looked at in vain. */
  isFailed: boolean
}

/** Ends a look. What has happened meanwhile is looked at at once. */
export async function releaseFixer(db: Db, { agent, dueAt, isFailed }: ReleaseFixer): Promise<void> {
  await db.query(
    `update pull_agents set claim_id = null, claimed_until = null, due_at = case when wakes = $4 then $5 else now() end,
       tries = case when $6 then tries + 1 else 0 end
     where organization_id = $1 and pull_id = $2 and claim_id = $3`,
    [agent.organizationId, agent.pullId, agent.claimId, agent.wakes, dueAt, isFailed],
  )
}
