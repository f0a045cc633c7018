import type { MessageType } from '#base/entry.ts'
import { rows, type Db } from '#db/pool.ts'
import { entryLine } from './entry-line.ts'

export type ListLog = {
  organizationId: number
  runId: number
  messageTypes: MessageType[]
  /** Only what was written after this entry. */
  afterSeq: number
  limit: number
  reverse?: boolean | undefined
}

/**
 * Entries of some types, each as the JSON text that is sent. Unlike a stretch of the whole log it costs what lies between
 * them too.
 */
export async function listLog(
  db: Db,
  { organizationId, runId, messageTypes, afterSeq, limit, reverse }: ListLog,
): Promise<string[]> {
  const found = await rows<{ seq: number; createdAt: Date; body: string }>(
    db,
    `select seq, created_at, body::text as body from log_entries
     where organization_id = $1 and run_id = $2 and seq > $3 and message_type = any($4) order by seq ${reverse ? 'desc' : 'asc'} limit $5`,
    [organizationId, runId, afterSeq, messageTypes, limit],
  )
  return found.map((row) => entryLine(runId, row))
}
