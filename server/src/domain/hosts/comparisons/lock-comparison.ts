import { AppError } from '#base/errors.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import type { ComparisonIds } from './comparison.ts'

/** Locks a comparison and the heads of its runs that have not ended, which it answers. Throws `comparison_not_found`. */
export async function lockComparison(tx: Db, { organizationId, comparisonId }: ComparisonIds): Promise<number[]> {
  const found = await maybeOne(
    tx,
    'select id from comparisons where organization_id = $1 and id = $2 for no key update',
    [organizationId, comparisonId],
  )
  if (!found) throw new AppError('comparison_not_found')
  const open = await rows<{ runId: number }>(
    tx,
    `select h.run_id from contestants t join run_heads h on h.organization_id = t.organization_id and h.run_id = t.run_id
     where t.organization_id = $1 and t.comparison_id = $2 and h.status not in ('completed', 'failed', 'cancelled')
     order by h.run_id for update of h`,
    [organizationId, comparisonId],
  )
  return open.map(({ runId }) => runId)
}
