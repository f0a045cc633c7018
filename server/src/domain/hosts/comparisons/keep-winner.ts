import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import type { Run } from '#domain/runs/run.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import type { CancelledComparison } from './cancel-comparison.ts'
import type { Comparison, ComparisonIds } from './comparison.ts'
import { getComparison } from './get-comparison.ts'
import { lockComparison } from './lock-comparison.ts'
import { outcomeOf } from './rank-contestants.ts'

export type KeepWinner = ComparisonIds & { runId: number; opensPull: boolean; userId: number }

/**
 * Keeps the work of one contestant: a worker opens its pull request, if that is wanted, and deletes the branches of the others,
 * whose runs are stopped. Asked again for the same, it may add the pull request, and changes nothing else. Throws
 * `comparison_not_found`, `run_not_found`, `conflict`.
 */
export async function keepWinner(db: Db, request: KeepWinner): Promise<CancelledComparison> {
  const { organizationId, comparisonId, runId, opensPull, userId } = request
  return inTransaction(db, async (tx) => {
    const open = await lockComparison(tx, { organizationId, comparisonId })
    const before = await getComparison(tx, { organizationId, comparisonId })
    requirePassed(before, request)
    const stopped: Run[] = []
    for (const other of open) stopped.push(await cancelRun(tx, { organizationId, runId: other, userId }))
    await tx.query(
      `update comparisons set winner_run_id = $3, opens_pull = opens_pull or $4, problem = null
       where organization_id = $1 and id = $2`,
      [organizationId, comparisonId, runId, opensPull],
    )
    // What it does from now on goes into its pull request.
    if (opensPull)
      await tx.query('update runs set create_pull_request = true where organization_id = $1 and id = $2', [
        organizationId,
        runId,
      ])
    await requestJob(tx, { organizationId, kind: 'comparison', ref: comparisonId })
    return { comparison: await getComparison(tx, { organizationId, comparisonId }), stopped }
  })
}

function requirePassed(
  { contestants, judges, repoId, winnerRunId }: Comparison,
  { runId, opensPull }: KeepWinner,
): void {
  const contestant = contestants.find((one) => one.runId === runId)
  if (!contestant) throw new AppError('run_not_found', { message: `Run ${runId} is no contestant of this comparison.` })
  if (winnerRunId !== null && winnerRunId !== runId)
    throw new AppError('conflict', {
      message: `Run ${winnerRunId} was kept, and the branches of the others were deleted.`,
    })
  if (winnerRunId === null && outcomeOf(contestant, judges.length) !== 'passed')
    throw new AppError('conflict', {
      message: `Run ${runId} cannot be kept: it has to complete, and all judges have to pass it.`,
    })
  if (opensPull && (repoId === null || contestant.head === null))
    throw new AppError('conflict', {
      message: `Run ${runId} has no branch in a repository to open a pull request for.`,
    })
}
