import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requireMoney } from '#domain/runs/budgets/require-money.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { enqueueHeld } from '#domain/runs/budgets/enqueue-held.ts'
import { waitingForHost } from '#domain/runs/host-wait.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'

/**
 * Lets a paused run go on in the same turn, at the step that it stopped before; one that waits for its code host asks it now.
 * Throws `run_not_found`,
 * `run_already_ended`, `conflict` (not paused), `budget_reached`.
 */
export async function continueRun(db: Db, { organizationId, runId }: RunIds): Promise<Run> {
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    if (hasEnded(head)) throw new AppError('run_already_ended')
    const isTrying = head.status === 'queued' && head.statusDetail === waitingForHost
    if (head.status !== 'paused' && !isTrying)
      throw new AppError('conflict', { message: `Run ${runId} is ${head.status}, not paused.` })
    await requireMoney(tx, { organizationId, runId })
    await enqueueHeld(tx, { organizationId, runId })
    return getRun(tx, { organizationId, runId })
  })
}
