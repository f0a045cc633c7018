import type { Entry } from '#base/entry.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import type { Db } from '#db/pool.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import type { RunHead } from '#domain/runs/run-head.ts'
import type { RunError } from '#domain/runs/run.ts'
import type { OutsideSession } from './outside-session.ts'

export type EndReportedTurn = {
  head: RunHead
  session: Pick<OutsideSession, 'text'>
  mask: Mask
  /** Null: the agent has answered. */
  error: RunError | null
}

/** Ends the turn of a session, whose rows the caller has locked: what was said last is its answer. */
export async function endReportedTurn(tx: Db, { head, session, mask, error }: EndReportedTurn): Promise<void> {
  const { organizationId, runId, turn } = head
  const { text } = session
  const lines = logLines(endOf(text, error), { turn, mask })
  if (lines.bodies.length) await appendLog(tx, { organizationId, runId, leaseId: null, lines })
  await tx.query(
    `update run_heads set status = $3, status_detail = null, turn_started_at = null, wanted = null, revision = revision + 1, updated_at = now()
     where organization_id = $1 and run_id = $2`,
    [organizationId, runId, error ? 'failed' : 'completed'],
  )
  await tx.query(
    `update runs set finished_at = now(), error = $4, result = case when $4::jsonb is null then coalesce($3, result) else result end
     where organization_id = $1 and id = $2`,
    [organizationId, runId, text, error && JSON.stringify(error)],
  )
  await tx.query(`update outside_sessions set text = null, calls = '{}' where organization_id = $1 and run_id = $2`, [
    organizationId,
    runId,
  ])
}

function endOf(text: string | null, error: RunError | null): Entry[] {
  const answered: Entry[] =
    text === null
      ? []
      : [
          {
            messageType: error ? 'PLAN_EVALUATION' : 'FINAL_ANSWER',
            ...(error ? { thought: text } : { observation: text }),
          },
        ]
  return error ? [...answered, { messageType: 'ERROR', observation: error.message }] : answered
}
