import type { Entry } from '#base/entry.ts'
import { AppError } from '#base/errors.ts'
import type { JsonObject } from '#base/json.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import { LogRefused, takingLog } from '#domain/runs/logs/taking-log.ts'
import { hasEnded, lockRunHead } from '#domain/runs/run-head.ts'
import { lockOutsideSession, type OutsideSession, type SessionIds, type SessionPart } from './outside-session.ts'
import { refuseStopped } from './update-outside-session.ts'

const textCharactersMax = 64 * 1024
const inputCharactersMax = 64 * 1024
/** Calls without a result that are kept; the oldest go first. */
const callsMax = 100

export type ReportOutsideSession = SessionIds & { parts: SessionPart[]; mask: Mask }

/**
 * Adds what an agent elsewhere has done to the log of its run. What it says becomes a thought of its next tool, or its answer.
 * Answers how many entries were written. Throws `run_not_found`, `conflict`, `storage_full`.
 */
export async function reportOutsideSession(
  db: Db,
  { parts, mask, ...ids }: ReportOutsideSession,
): Promise<{ runId: number; entries: number }> {
  const report = () =>
    inTransaction(db, async (tx) => {
      const session = await lockOutsideSession(tx, ids)
      const head = await lockRunHead(tx, session)
      refuseStopped(head)
      const { organizationId, runId } = session
      const clean = parts.map((part) => cleanJson(part, mask) as SessionPart)
      const entries = clean.flatMap((part) => take(session, part))
      // Its program reads what the agent writes once a second, and so tells of an answer after its end.
      if (hasEnded(head) && session.text !== null) {
        entries.push({ messageType: 'FINAL_ANSWER', observation: session.text })
        await tx.query('update runs set result = $3 where organization_id = $1 and id = $2', [
          organizationId,
          runId,
          session.text,
        ])
        session.text = null
      }
      await tx.query('update outside_sessions set text = $3, calls = $4 where organization_id = $1 and run_id = $2', [
        organizationId,
        runId,
        session.text,
        JSON.stringify(session.calls),
      ])
      if (!entries.length) return { runId, entries: 0 }
      const lines = logLines(entries, { turn: head.turn, mask })
      await appendLog(tx, { organizationId, runId, leaseId: null, lines })
      // Counted at once: unlike what a worker writes, nothing bounds it otherwise.
      await tx.query(
        'update run_heads set log_bytes = log_bytes, log_held = 0 where organization_id = $1 and run_id = $2',
        [organizationId, runId],
      )
      return { runId, entries: entries.length }
    })
  try {
    return await takingLog(report)
  } catch (error) {
    if (!(error instanceof LogRefused)) throw error
    throw new AppError('storage_full', { message: error.message, cause: error })
  }
}

/** What becomes of a part: entries, or something to remember until more is known. */
function take(session: OutsideSession, part: SessionPart): Entry[] {
  const { text, calls } = session
  if (part.kind === 'answer') {
    session.text = (text === null ? part.text : `${text}\n\n${part.text}`).slice(-textCharactersMax)
    return []
  }
  if (part.kind === 'result') {
    const call = Object.hasOwn(calls, part.id) ? calls[part.id] : undefined
    delete calls[part.id]
    return call ? [actionOf(call, part)] : []
  }
  session.text = null
  if (part.kind === 'call') {
    const input =
      JSON.stringify(part.input).length > inputCharactersMax ? { cut: 'The input is too long.' } : part.input
    const others = Object.entries(calls).slice(1 - callsMax)
    session.calls = Object.fromEntries([...others, [part.id, { name: part.name, input, thought: text }]])
    return []
  }
  const before: Entry[] = text === null ? [] : [{ messageType: 'PLAN_EVALUATION', thought: text }]
  return [...before, { messageType: 'USER_MESSAGE', observation: part.text }]
}

type Result = { output: JsonObject; isError: boolean }

const actionOf = ({ name, input, thought }: OutsideSession['calls'][string], { output, isError }: Result): Entry => ({
  messageType: 'ACTION',
  thought,
  toolName: name,
  toolInput: input,
  toolOutput: output,
  observation: isError ? 'failed' : null,
})
