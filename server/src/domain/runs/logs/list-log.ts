import type { MessageType } from '#base/entry.ts'
import { rows, type Db } from '#db/pool.ts'
import { entryLine } from './entry-line.ts'
import { readArchivedEntries, type ArchiveStore } from './read-archived-entries.ts'

export type ListLog = {
  organizationId: number
  runId: number
  messageTypes: MessageType[]
  /** Only what was written after this entry. */
  afterSeq: number
  limit: number
  reverse?: boolean | undefined
  /** Where archived entries lie. */
  blobs: ArchiveStore
}

/**
 * Entries of some types, each as the JSON text that is sent. Unlike a stretch of the whole log it costs what lies between
 * them too.
 */
export async function listLog(db: Db, options: ListLog): Promise<string[]> {
  const { organizationId, runId, messageTypes, afterSeq, limit, reverse } = options
  const found = await rows<{ seq: number; createdAt: Date; body: string }>(
    db,
    `select seq, created_at, body::text as body from log_entries
     where organization_id = $1 and run_id = $2 and seq > $3 and message_type = any($4) order by seq ${reverse ? 'desc' : 'asc'} limit $5`,
    [organizationId, runId, afterSeq, messageTypes, limit],
  )
  const lines = new Map(found.map((row) => [row.seq, entryLine(runId, row)]))
  // All that is archived comes before.
  if (reverse && lines.size === limit) return [...lines.values()]
  const archived: typeof lines = new Map()
  const range = { from: afterSeq + 1, to: seqMax }
  for await (const entry of readArchivedEntries(db, { ...options, ...range })) {
    // What was moved between the two reads was found before.
    if (!lines.has(entry.seq)) archived.set(entry.seq, entryLine(runId, entry))
    if (archived.size === limit || (reverse && archived.size + lines.size === limit)) break
  }
  const all = [...archived, ...lines].toSorted(([a], [b]) => (reverse ? b - a : a - b))
  return all.slice(0, limit).map(([, line]) => line)
}

/** No entry has a larger number. */
const seqMax = 2 ** 31 - 1
