import { maybeOne, type Db } from '#db/pool.ts'
import { nodeFaultsMax, nodeFaultsMs, type NodeFaults } from '#domain/runs/runs/record-node-fault.ts'
import type { ClaimedCheck } from './start-check.ts'

/** Counts that the worker which runs a check has failed it by a fault of its own. Undefined where the claim is lost. */
export async function recordCheckFault(
  db: Db,
  { organizationId, checkId, claimId }: ClaimedCheck,
): Promise<NodeFaults | undefined> {
  const counted = await maybeOne<{ count: number }>(
    db,
    `update checks set node_fault_at = now(),
       node_faults = case when node_fault_at > now() - $4 * interval '1 millisecond' then node_faults + 1 else 1 end
     where organization_id = $1 and id = $2 and claim_id = $3 and status = 'in_progress' returning node_faults as count`,
    [organizationId, checkId, claimId, nodeFaultsMs],
  )
  return counted && { count: counted.count, isSpent: counted.count >= nodeFaultsMax }
}
