import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { enqueueHeld } from '#domain/runs/budgets/enqueue-held.ts'
import { hasEnded, lockRunHead, type RunHead } from '#domain/runs/run-head.ts'
import { hasOpenQuestion } from '#domain/runs/runs/has-open-question.ts'
import { questionColumns, type Question } from './question.ts'

export type AnswerQuestion = { organizationId: number; runId: number; n: number; answer: string; userId: number }

/**
 * Answers what an agent asked. With its last open question answered, a run that waits is queued again, in the same
 * turn; one that is paused, queued or just letting go of its worker finds the answer when it comes back to the question.
 * Throws `run_not_found`, `question_not_found`, `run_already_ended`, `conflict`.
 */
export async function answerQuestion(db: Db, request: AnswerQuestion): Promise<Question> {
  const { organizationId, runId, n, answer, userId } = request
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    await requireOpen(tx, { head, n })
    const question = await one<Question>(
      tx,
      `update questions set answer = $4, answered_by = $5, answered_at = now()
       where organization_id = $1 and run_id = $2 and n = $3 returning ${questionColumns}`,
      [organizationId, runId, n, answer, userId],
    )
    const isLast = !(await hasOpenQuestion(tx, head))
    if (head.status === 'waiting_for_user' && isLast) await enqueueHeld(tx, { organizationId, runId })
    return question
  })
}

async function requireOpen(tx: Db, { head, n }: { head: RunHead; n: number }): Promise<void> {
  const { organizationId, runId } = head
  const question = await maybeOne<{ answeredAt: Date | null; turn: number }>(
    tx,
    'select answered_at, turn from questions where organization_id = $1 and run_id = $2 and n = $3',
    [organizationId, runId, n],
  )
  if (!question) throw new AppError('question_not_found', { message: `Run ${runId} has no question ${n}.` })
  if (question.answeredAt) throw new AppError('conflict', { message: `Question ${n} has already been answered.` })
  if (hasEnded(head)) throw new AppError('run_already_ended')
  if (question.turn !== head.turn) {
    const message = `Question ${n} belongs to turn ${question.turn}, and run ${runId} went on without its answer.`
    throw new AppError('conflict', { message })
  }
  if (head.wanted === 'cancel')
    throw new AppError('conflict', { message: `Run ${runId} is being stopped and accepts no answers.` })
}
