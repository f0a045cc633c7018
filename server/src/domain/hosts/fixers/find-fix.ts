import { maybeOne, type Db } from '#db/pool.ts'
import type { Holder } from '#domain/runs/holder.ts'

/** What a turn is to fix; undefined for one that people have asked for. */
export async function findFix(
  db: Db,
  { organizationId, runId, turn }: Omit<Holder, 'leaseId'>,
): Promise<{ attempt: number; checks: string[] } | undefined> {
  return maybeOne<{ attempt: number; checks: string[] }>(
    db,
    `select (state->'fix'->>'attempt')::int as attempt, state->'fix'->'checks' as checks from pull_agents
     where organization_id = $1 and run_id = $2 and (state->'fix'->>'turn')::int = $3`,
    [organizationId, runId, turn],
  )
}
