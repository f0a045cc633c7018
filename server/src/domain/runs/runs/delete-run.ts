import { AppError } from '#base/errors.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { markDeleted } from '#domain/runs/deletions/mark-deleted.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** `userId`: who may delete the runs that they have started; null: everyone's. */
export type DeleteRun = RunIds & { userId: number | null }

/**
 * Deletes a run that has ended: nobody finds it any more, and its bytes are removed soon after, whatever happens. Runs that it has
 * started and pull requests that it has opened stay. Throws `run_not_found`, `forbidden`, `conflict` while it is at work.
 */
export async function deleteRun(db: Db, { organizationId, runId, userId }: DeleteRun): Promise<void> {
  await inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    const run = await one<{ userId: number | null }>(
      tx,
      'select user_id from runs where organization_id = $1 and id = $2',
      [organizationId, runId],
    )
    if (userId !== null && run.userId !== userId)
      throw new AppError('forbidden', {
        message: `Somebody else started run ${runId}. They or an ADMIN can delete it.`,
      })
    if (!hasEnded(head))
      throw new AppError('conflict', {
        message: `Run ${runId} has not ended. Cancel it first, and delete it once its agent has stopped.`,
      })
    await markDeleted(tx, { organizationId, runIds: [runId] })
  })
}
