import { AppError } from '#base/errors.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { hasEnded, lockRunHead, type RunHead } from '#domain/runs/run-head.ts'
import type { Run } from '#domain/runs/run.ts'
import { beginReportedTurn } from './begin-reported-turn.ts'
import { endReportedTurn } from './end-reported-turn.ts'
import { lockOutsideSession, type SessionIds } from './outside-session.ts'

/** As programs say it. */
export const sessionStatuses = ['ACTIVE', 'COMPLETE', 'ERROR'] as const
export type UpdateOutsideSession = SessionIds & { status: (typeof sessionStatuses)[number]; mask: Mask }

/** Says where a session stands: it waits for its person after each answer, and each prompt is a turn. Throws `run_not_found`, `conflict`. */
export async function updateOutsideSession(db: Db, { status, mask, ...ids }: UpdateOutsideSession): Promise<Run> {
  return inTransaction(db, async (tx) => {
    const session = await lockOutsideSession(tx, ids)
    const head = await lockRunHead(tx, session)
    refuseStopped(head)
    if (status === 'ACTIVE') {
      if (hasEnded(head)) await beginNext(tx, head)
    } else if (!hasEnded(head)) {
      await endReportedTurn(tx, { head, session, mask, error: status === 'ERROR' ? failed : null })
    }
    return getRun(tx, session)
  })
}

const failed = {
  code: 'engine_error',
  message: 'The agent ended with an error on the machine where it ran.',
  retryable: false,
}

/** Throws `conflict`. */
export function refuseStopped({ status, runId }: RunHead): void {
  if (status !== 'cancelled') return
  throw new AppError('conflict', { message: `Run ${runId} was stopped here: nothing more of its session is taken.` })
}

async function beginNext(tx: Db, { organizationId, runId }: RunHead): Promise<void> {
  await tx.query(`update run_heads set status = 'queued', turn = turn + 1 where organization_id = $1 and run_id = $2`, [
    organizationId,
    runId,
  ])
  await tx.query('update runs set finished_at = null, error = null where organization_id = $1 and id = $2', [
    organizationId,
    runId,
  ])
  await beginReportedTurn(tx, { organizationId, runId })
}
