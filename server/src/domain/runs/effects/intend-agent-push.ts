import { maybeOne, type Db } from '#db/pool.ts'
import type { Holder } from '#domain/runs/holder.ts'

export type IntendAgentPush = {
  holder: Holder
  branch: string
  commit: string
  /** Where the branch is now. */
  expected: string | null
}

/**
 * Stores, under the lease, that the agent itself is about to push. Each push is an effect of its own: an agent may move its
 * branch to and fro. Answers its key; undefined where the run is not to go on, or its turn ends and its work is pushed for it.
 */
export async function intendAgentPush(
  db: Db,
  { holder, branch, commit, expected }: IntendAgentPush,
): Promise<string | undefined> {
  const { organizationId, runId, turn, leaseId } = holder
  const request = { branch, commit, expected, turn, byAgent: true }
  const intended = await maybeOne<{ key: string }>(db, intend, [
    organizationId,
    runId,
    leaseId,
    JSON.stringify(request),
  ])
  return intended?.key
}

/** The time is taken under the lock, so that the order of times is the order of pushes. */
const intend = `
  with own as (
    select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel'
      and status_detail is distinct from 'creating_pr' for update)
  insert into effects (organization_id, run_id, key, kind, state, request, lease_id, created_at)
  select $1, $2, 'agent-push:' || gen_random_uuid(), 'push', 'intended', $4, $3, clock_timestamp() from own
  returning key`
