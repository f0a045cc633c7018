import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import type { Comparison, ComparisonIds } from './comparison.ts'
import { listComparisons } from './list-comparisons.ts'

/** Throws `comparison_not_found`. */
export async function getComparison(db: Db, ids: ComparisonIds): Promise<Comparison> {
  const { items } = await listComparisons(db, { ...ids, skip: 0, limit: 1 })
  const [comparison] = items
  if (!comparison) throw new AppError('comparison_not_found')
  return comparison
}
