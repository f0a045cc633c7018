import { AppError } from '#base/errors.ts'
import type { JsonObject } from '#base/json.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** Names a session by whoever reports of it: nobody can report of somebody else's. */
export type SessionIds = { organizationId: number; userId: number; sessionId: string }

export type ToolCall = { name: string; input: JsonObject; thought: string | null }

/** A session of an agent on somebody's own machine, of which a program there reports. Its run is held by no worker. */
export type OutsideSession = RunIds & {
  /** What the agent has said since its last tool. */
  text: string | null
  /** Those without a result yet, by their ids. */
  calls: Record<string, ToolCall>
}

/** What a report tells. */
export type SessionPart =
  | { kind: 'prompt'; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'call'; id: string; name: string; input: JsonObject }
  | { kind: 'result'; id: string; output: JsonObject; isError: boolean }

/** Locks it until the end of the transaction. Throws `run_not_found`. */
export async function lockOutsideSession(tx: Db, ids: SessionIds): Promise<OutsideSession> {
  const session = await maybeOne<OutsideSession>(
    tx,
    `update outside_sessions set reported_at = now() where organization_id = $1 and user_id = $2 and session_id = $3
     returning organization_id, run_id, text, calls`,
    [ids.organizationId, ids.userId, ids.sessionId],
  )
  if (!session)
    throw new AppError('run_not_found', { message: 'There is no such session of yours here. Report its start first.' })
  return session
}
