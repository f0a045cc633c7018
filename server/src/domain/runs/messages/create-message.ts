import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { refuseOutsideRun } from '#domain/runs/refuse-outside-run.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import { appendMessage, type AppendMessage } from './append-message.ts'
import type { Message } from './message.ts'

/**
 * Queues a message, which the agent reads before its next step. Throws `run_not_found`, `run_already_ended` (a follow-up
 * to such a run is a new turn, and so a matter of `resumeRun`), `conflict`.
 */
export async function createMessage(db: Db, message: Omit<AppendMessage, 'turn'>): Promise<Message> {
  const { organizationId, runId } = message
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    if (hasEnded(head) || head.wanted === 'cancel') {
      throw new AppError('run_already_ended', {
        message: `Run ${runId} has ended or is about to end. Resume it to continue with a new turn.`,
      })
    }
    await refuseOutsideRun(tx, { organizationId, runId })
    return appendMessage(tx, { ...message, turn: null })
  })
}
