import { AppError } from '#base/errors.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requireMoney } from '#domain/runs/budgets/require-money.ts'
import { appendMessage, type AppendMessage } from '#domain/runs/messages/append-message.ts'
import { refuseOutsideRun } from '#domain/runs/refuse-outside-run.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { beginTurn } from './begin-turn.ts'
import { lockRunHead } from '#domain/runs/run-head.ts'

export type ResumeRun = RunIds & Pick<AppendMessage, 'prompt' | 'images' | 'userId' | 'entry' | 'asker'>

/**
 * Sends a follow-up. A run that has ended, is paused or waits goes on as its next turn; so does one that is about to stop,
 * as soon as it has. One that is queued or running finds the message before its next step. Throws `run_not_found`,
 * `budget_reached`, `conflict` where too little of it was kept.
 */
export async function resumeRun(db: Db, message: ResumeRun): Promise<Run> {
  const { organizationId, runId } = message
  return inTransaction(db, async (tx) => {
    const head = await lockRunHead(tx, { organizationId, runId })
    await refuseOutsideRun(tx, { organizationId, runId })
    await requireWhole(tx, { organizationId, runId })
    const isAtWork = head.status === 'queued' || head.status === 'in_progress'
    const readsItNow = isAtWork && head.wanted === null
    if (!readsItNow) await requireMoney(tx, { organizationId, runId })
    await appendMessage(tx, { ...message, turn: readsItNow ? null : head.turn + 1 })
    if (!isAtWork) await beginTurn(tx, { organizationId, runId })
    return getRun(tx, { organizationId, runId })
  })
}

/** An agent goes on from its log and its files. */
async function requireWhole(tx: Db, { organizationId, runId }: RunIds): Promise<void> {
  const { isShort, isHomeless } = await one<{ isShort: boolean; isHomeless: boolean }>(
    tx,
    `select deleted_parts && '{logs,repositories}' as "isShort",
       exists (select from repos p where p.organization_id = $1 and p.id = r.repo_id and p.removed_at is not null) as "isHomeless"
     from runs r where organization_id = $1 and id = $2`,
    [organizationId, runId],
  )
  if (!isShort && !isHomeless) return
  const reason = isHomeless
    ? `The repository of run ${runId} was removed`
    : `The log or the files of run ${runId} are kept no longer`
  const message = `${reason}, so its agent cannot go on. Start a new run.`
  throw new AppError('conflict', { message })
}
