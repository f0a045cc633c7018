import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { enqueueHeld } from '#domain/runs/enqueue-held.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import { questionColumns, type Question } from './question.ts'

export type AnswerQuestion = { organizationId: number; runId: number; n: number; answer: string; userId: number }

/**
 * Answers what an agent asked. With its last open question answered, a run that waits is queued again, in the same
 * turn. Throws `run_not_found`, `question_not_found`, `run_already_ended`, `conflict`.
 */
export async function answerQuestion(db: Db, wanted: AnswerQuestion): Promise<Question> {
  const { organizationId, runId, n, answer, userId } = wanted
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    const open = await maybeOne<{ answeredAt: Date | null }>(
      tx,
      'select answered_at as "answeredAt" from questions where organization_id = $1 and run_id = $2 and n = $3',
      [organizationId, runId, n],
    )
    if (!open) throw new AppError('question_not_found', { message: `Run ${runId} has asked no question ${n}.` })
    if (open.answeredAt) throw new AppError('conflict', { message: `Question ${n} has been answered already.` })
    if (hasEnded(head)) throw new AppError('run_already_ended')
    if (head.status !== 'waiting_for_user')
      throw new AppError('conflict', { message: `Run ${runId} is ${head.status} and does not wait for an answer.` })
    const question = await one<Question>(
      tx,
      `update questions set answer = $4, answered_by = $5, answered_at = now()
       where organization_id = $1 and run_id = $2 and n = $3 returning ${questionColumns}`,
      [organizationId, runId, n, answer, userId],
    )
    const other = await maybeOne(
      tx,
      'select from questions where organization_id = $1 and run_id = $2 and answered_at is null limit 1',
      [organizationId, runId],
    )
    if (!other) await enqueueHeld(tx, { organizationId, runId })
    return question
  })
}
