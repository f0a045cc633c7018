import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { getComparison } from './get-comparison.ts'
import type { ComparisonIds } from './comparison.ts'

/** In which repository a verdict was found, as what its log is read by. Throws `comparison_not_found`, `verdict_not_found`. */
export async function getVerdict(
  db: Db,
  { organizationId, comparisonId, verdictId }: ComparisonIds & { verdictId: number },
): Promise<{ organizationId: number; repoId: number; key: string }> {
  await getComparison(db, { organizationId, comparisonId })
  const found = await maybeOne<{ repoId: number }>(
    db,
    'select repo_id from checks where organization_id = $1 and comparison_id = $2 and id = $3',
    [organizationId, comparisonId, verdictId],
  )
  if (!found) throw new AppError('verdict_not_found')
  return { organizationId, repoId: found.repoId, key: String(verdictId) }
}
