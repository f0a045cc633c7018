import { AppError } from '#base/errors.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdNextTurn } from '#domain/runs/messages/hold-next-turn.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

/** `userId`: null if no member asked for it. */
export type CancelRun = RunIds & { userId: number | null }

/**
 * Stops a run, and those that its agent has started. One without a worker ends here; one in progress ends as soon as its worker
 * has stopped the agent.
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
    for (const child of await listUnendedChildren(tx, { organizationId, runId }))
      await cancelRun(tx, { organizationId, runId: child, userId })
    return getRun(tx, { organizationId, runId })
  })
}

/** Their heads are locked after their parent's, and nobody locks them the other way round. */
async function listUnendedChildren(tx: Db, { organizationId, runId }: RunIds): Promise<number[]> {
  const children = await rows<{ id: number }>(
    tx,
    `select r.id from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where r.organization_id = $1 and r.parent_run_id = $2 and r.child_key is not null
       and h.status not in ('completed', 'failed', 'cancelled') order by r.id for update of h`,
    [organizationId, runId],
  )
  return children.map(({ id }) => id)
}
