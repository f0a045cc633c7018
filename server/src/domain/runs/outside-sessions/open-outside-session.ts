import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run } from '#domain/runs/run.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import type { SessionIds } from './outside-session.ts'
import { beginReportedTurn } from './begin-reported-turn.ts'

/** The run of a session, which is made when it is first told of. Throws what `createRun` throws. */
export async function openOutsideSession(
  db: Db,
  { organizationId, userId, sessionId, agentType }: SessionIds & { agentType: string },
): Promise<Run> {
  return inTransaction(db, async (tx) => {
    // Its program and a hook of the agent tell of it at the same moment.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${organizationId} ${userId} ${sessionId}`,
    ])
    const known = await maybeOne<{ runId: number }>(
      tx,
      'select run_id from outside_sessions where organization_id = $1 and user_id = $2 and session_id = $3',
      [organizationId, userId, sessionId],
    )
    if (known) return getRun(tx, { organizationId, runId: known.runId })
    const { id: runId } = await createRun(tx, {
      organizationId,
      userId,
      sourceType: 'CLI',
      agentType,
      prompt: `Session ${sessionId} on my machine`,
      createPullRequest: false,
    })
    await tx.query(
      'insert into outside_sessions (organization_id, run_id, user_id, session_id) values ($1, $2, $3, $4)',
      [organizationId, runId, userId, sessionId],
    )
    await beginReportedTurn(tx, { organizationId, runId })
    return getRun(tx, { organizationId, runId })
  })
}
