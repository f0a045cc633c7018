import type { Mask } from '#base/redaction/redactor.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { entryText } from './entry-text.ts'
import type { KeptEntry, KeptText } from './keep-long-texts.ts'
import { saveLongTexts } from './save-long-texts.ts'

/** Entries made ready for `log_entries`: the one place where a secret can still be taken out. */
export type LogLines = {
  turn: number
  messageTypes: string[]
  bodies: string[]
  kept: KeptText[]
  /** With what is kept of them elsewhere. */
  bytes: number
}

export function logLines(entries: KeptEntry[], options: { turn: number; mask: Mask }): LogLines {
  const bodies = entries.map((entry) => entryText(entry, options))
  const kept = entries.flatMap((entry) => entry.kept ?? [])
  return {
    turn: options.turn,
    messageTypes: entries.map((entry) => entry.messageType),
    bodies,
    kept,
    bytes: sum(bodies.map((body) => Buffer.byteLength(body))) + sum(kept.map(({ blob }) => blob.bytes)),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

export type AppendLog = { organizationId: number; runId: number; leaseId: string | null; lines: LogLines }

/**
 * Appends to a run's log under its lease (null: nobody holds the run, and the caller holds the row lock). Numbers have
 * no hole, because they are drawn in the statement that writes. Answers the first number, or undefined where the lease
 * has moved on; then nothing was written. It is refused nothing: what people said, what has been done and how a turn ends
 * must be told, and is counted with what the run writes next, or as it ends.
 */
export async function appendLog(
  db: Db,
  { organizationId, runId, leaseId, lines }: AppendLog,
): Promise<number | undefined> {
  const values = [organizationId, runId, leaseId, lines.messageTypes, lines.bodies, lines.bytes]
  const written = await maybeOne<{ seq: number }>(db, append, values)
  if (written && leaseId) await saveLongTexts(db, { holder: { organizationId, runId, leaseId }, lines })
  return written?.seq
}

const append = {
  name: 'append-log',
  text: `with own as (
       update run_heads set next_seq = next_seq + cardinality($4::text[]), revision = revision + 1, log_bytes = log_bytes + $6,
         log_held = greatest(log_held, log_bytes + $6),
         progress_at = now(), updated_at = now()
       where organization_id = $1 and run_id = $2 and lease_id is not distinct from $3::uuid
       returning next_seq - cardinality($4::text[]) as seq),
     written as (
       insert into log_entries (organization_id, run_id, seq, message_type, body)
       select $1, $2, own.seq + (line.n - 1)::int, line.message_type, line.body::json
       from own, unnest($4::text[], $5::text[]) with ordinality as line (message_type, body, n))
     select seq from own`,
}
