import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

/** A turn that workers have failed so often by faults of their own ends; after so long without one it counts anew. */
export const nodeFaultsMax = 5
export const nodeFaultsMs = 30 * 60_000

export type NodeFaults = {
  /** How often workers have failed this turn by faults of their own, one soon after the other. */
  count: number
  /** Too often: the turn is to end. */
  isSpent: boolean
}

/** Counts that the worker which holds the run has failed it by a fault of its own. Throws `LeaseLost`. */
export async function recordNodeFault(db: Db, { organizationId, runId, leaseId }: Holder): Promise<NodeFaults> {
  const counted = await maybeOne<{ count: number }>(
    db,
    `update run_heads set node_fault_at = now(),
       node_faults = case when node_fault_at > now() - $4 * interval '1 millisecond' then node_faults + 1 else 1 end
     where organization_id = $1 and run_id = $2 and lease_id = $3 returning node_faults as count`,
    [organizationId, runId, leaseId, nodeFaultsMs],
  )
  if (!counted) throw new LeaseLost(runId)
  return { count: counted.count, isSpent: counted.count >= nodeFaultsMax }
}
