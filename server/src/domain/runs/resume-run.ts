import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requireMoney } from '#domain/budgets/require-money.ts'
import { appendMessage, type AppendMessage } from '#domain/messages/append-message.ts'
import { getRun } from './get-run.ts'
import type { Run, RunIds } from './run.ts'
import { lockRunHead } from './run-head.ts'
import { wakeWorkers } from './wake-workers.ts'

export type ResumeRun = RunIds & Pick<AppendMessage, 'prompt' | 'images' | 'userId' | 'entry'>

/**
 * Sends a follow-up. A run that has ended, is paused or waits goes on as its next turn; one that is queued or at work
 * finds the message before its next step. Throws `run_not_found`, `budget_reached`.
 */
export async function resumeRun(db: Db, message: ResumeRun): Promise<Run> {
  const { organizationId, runId } = message
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    const isAtWork = head.status === 'queued' || head.status === 'in_progress'
    if (!isAtWork) await requireMoney(tx, { organizationId, runId })
    await appendMessage(tx, { ...message, turn: isAtWork ? null : head.turn + 1 })
    if (!isAtWork) {
      await tx.query(
        `update run_heads set status = 'queued', status_detail = 'capacity', turn = turn + 1, claims = 0, wanted = null, wanted_by = null,
           turn_started_at = null, held_at = null, not_before = now(), revision = revision + 1, updated_at = now()
         where organization_id = $1 and run_id = $2`,
        [organizationId, runId],
      )
      await tx.query('update runs set finished_at = null, error = null where organization_id = $1 and id = $2', [
        organizationId,
        runId,
      ])
      await wakeWorkers(tx, { queued: true })
    }
    return getRun(tx, { organizationId, runId })
  })
}
