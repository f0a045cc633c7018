import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import type { Run } from '#domain/runs/run.ts'
import type { Comparison, ComparisonIds } from './comparison.ts'
import { getComparison } from './get-comparison.ts'
import { lockComparison } from './lock-comparison.ts'

/** `stopped`: the runs that were still open. */
export type CancelledComparison = { comparison: Comparison; stopped: Run[] }

/** Stops all runs of a comparison that have not ended, and its judges. Asked again, it answers the same. Throws `comparison_not_found`. */
export async function cancelComparison(
  db: Db,
  { organizationId, comparisonId, userId }: ComparisonIds & { userId: number },
): Promise<CancelledComparison> {
  return inTransaction(db, async (tx) => {
    const open = await lockComparison(tx, { organizationId, comparisonId })
    const stopped: Run[] = []
    for (const runId of open) stopped.push(await cancelRun(tx, { organizationId, runId, userId }))
    await tx.query(
      'update comparisons set cancelled_at = coalesce(cancelled_at, now()) where organization_id = $1 and id = $2',
      [organizationId, comparisonId],
    )
    return { comparison: await getComparison(tx, { organizationId, comparisonId }), stopped }
  })
}
