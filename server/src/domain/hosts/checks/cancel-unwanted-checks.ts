import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { removeJobs } from '#domain/hosts/jobs/remove-jobs.ts'
import { isWanted } from './check.ts'
import { dropLogPieces } from './drop-log-pieces.ts'
import { recordChecksChanged } from './record-checks-changed.ts'

/**
 * Cancels the checks of a repository that wait for a worker while nobody waits for them: their branch has moved on, or their
 * pull request is closed. A worker that runs one sees that itself. Answers how many.
 */
export async function cancelUnwantedChecks(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const cancelled = await rows<{ checkId: number; commit: string }>(
      tx,
      `update checks c set status = 'completed', conclusion = 'cancelled', completed_at = now(), summary = $3, log_pieces = 0
       where organization_id = $1 and repo_id = $2 and command is not null and status = 'queued' and not ${isWanted}
       returning id as "checkId", commit`,
      [organizationId, repoId, unwantedSummary],
    )
    const checkIds = cancelled.map((one) => one.checkId)
    await removeJobs(tx, { organizationId, kind: 'check', refs: checkIds })
    await dropLogPieces(tx, { organizationId, checkIds })
    for (const commit of new Set(cancelled.map((one) => one.commit)))
      await recordChecksChanged(tx, { organizationId, repoId, commit })
    return cancelled.length
  })
}

export const unwantedSummary =
  'Nobody waits for it any more: the branch has moved on, the pull request is closed, or the comparison was canceled.'
