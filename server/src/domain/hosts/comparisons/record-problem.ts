import type { Db } from '#db/pool.ts'
import type { ComparisonIds } from './comparison.ts'

/** Stores why the winner of a comparison has no pull request. */
export async function recordProblem(
  db: Db,
  { organizationId, comparisonId, problem }: ComparisonIds & { problem: string },
): Promise<void> {
  await db.query('update comparisons set problem = $3, opens_pull = false where organization_id = $1 and id = $2', [
    organizationId,
    comparisonId,
    problem,
  ])
}
