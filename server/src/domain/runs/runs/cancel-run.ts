import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdNextTurn } from '#domain/runs/messages/hold-next-turn.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

/** `userId`: null if no member asked for it. */
export type CancelRun = RunIds & { userId: number | null }

/**
 * Stops a run. One without a worker ends here; one in progress ends as soon as its worker has stopped the agent.
 * Throws `run_not_found`, `run_already_ended`.
 */
export async function cancelRun(db: Db, { organizationId, runId, userId }: CancelRun): Promise<Run> {
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    if (hasEnded(head)) throw new AppError('run_already_ended')
    if (head.leaseId === null) {
      await tx.query(
        `update run_heads set status = 'cancelled', status_detail = null, host_wait = null, wanted_by = $3, revision = revision + 1, updated_at = now()
         where organization_id = $1 and run_id = $2`,
        [organizationId, runId, userId],
      )
      await tx.query('update runs set finished_at = now() where organization_id = $1 and id = $2', [
        organizationId,
        runId,
      ])
    } else {
      await holdNextTurn(tx, head)
      // Only the holder of the lease writes the log and stops the agent, so it is asked, not overtaken.
      await tx.query(
        `update run_heads set wanted = 'cancel', wanted_by = case when wanted = 'cancel' then wanted_by else $3 end,
           status_detail = 'stopping', revision = revision + 1, updated_at = now()
         where organization_id = $1 and run_id = $2`,
        [organizationId, runId, userId],
      )
      await wakeWorkers(tx, { wanted: 'cancel', runId })
    }
    return getRun(tx, { organizationId, runId })
  })
}
