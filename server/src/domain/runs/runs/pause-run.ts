import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdNextTurn } from '#domain/runs/messages/hold-next-turn.ts'
import { refuseOutsideRun } from '#domain/runs/refuse-outside-run.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'

export type PauseRun = RunIds & { userId: number }

/**
 * Holds a run. One that is queued is held at once; one at work stops before its next step, with its files kept. Throws
 * `run_not_found`, `run_already_ended`, `conflict`.
 */
export async function pauseRun(db: Db, { organizationId, runId, userId }: PauseRun): Promise<Run> {
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    if (hasEnded(head)) throw new AppError('run_already_ended')
    await refuseOutsideRun(tx, { organizationId, runId })
    if (head.status === 'queued') {
      await tx.query(
        `update run_heads set status = 'paused', status_detail = null, wanted_by = $3, held_at = now(), revision = revision + 1,
           updated_at = now()
         where organization_id = $1 and run_id = $2`,
        [organizationId, runId, userId],
      )
    } else if (head.status === 'in_progress' && head.wanted !== 'cancel') {
      await holdNextTurn(tx, head)
      // Its worker finds this before the next step, in the statement that would begin it.
      await tx.query(
        `update run_heads set wanted = 'pause', wanted_by = coalesce(wanted_by, $3), status_detail = 'pausing',
           revision = revision + 1, updated_at = now()
         where organization_id = $1 and run_id = $2`,
        [organizationId, runId, userId],
      )
    } else {
      const what = head.wanted === 'cancel' ? 'is being stopped' : `is ${head.status}`
      throw new AppError('conflict', { message: `Run ${runId} ${what} and cannot be paused.` })
    }
    return getRun(tx, { organizationId, runId })
  })
}
