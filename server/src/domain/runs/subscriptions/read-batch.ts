import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { entryLine } from '#domain/runs/logs/entry-line.ts'
import {
  readArchivedEntries,
  type ArchiveStore,
  type ReadArchivedEntries,
} from '#domain/runs/logs/read-archived-entries.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** Entries that follow each other, each as the JSON text that the logs endpoint sends. */
export type LogBatch = { entries: { seq: number; text: string }[]; lastSeq: number; bytes: number }

export type ReadBatch = RunIds & { after: number; lastSeq: number }

/**
 * Reads what follows in a log, up to the end of a block of `followedEntriesMax`, so that readers who begin anywhere soon
 * ask for the same blocks. What one has read is kept for the others, within bounds: entries never change.
 */
export function batchReader(db: Db, blobs: ArchiveStore): (request: ReadBatch) => Promise<LogBatch> {
  const kept = new Map<string, Promise<LogBatch>>()
  let keptBytes = 0
  const keep = (key: string, reading: Promise<LogBatch>) => {
    kept.set(key, reading)
    reading.then(
      ({ bytes }) => {
        keptBytes += bytes
        for (const [oldest, old] of kept) {
          if (keptBytes <= limits.followedKeptBytesMax && kept.size <= limits.followedKeptMax) break
          kept.delete(oldest)
          void old.then(({ bytes }) => (keptBytes -= bytes))
        }
      },
      () => kept.delete(key),
    )
  }
  return ({ organizationId, runId, after, lastSeq }) => {
    const block = limits.followedEntriesMax
    const to = Math.min(lastSeq, (Math.floor(after / block) + 1) * block)
    const key = `${runId} ${after} ${to}`
    const known = kept.get(key)
    if (known) return known
    const reading = readBatch(db, { organizationId, runId, blobs, after, to })
    keep(key, reading)
    return reading
  }
}

type Range = RunIds & { blobs: ArchiveStore; after: number; to: number }

async function readBatch(db: Db, { organizationId, runId, blobs, after, to }: Range): Promise<LogBatch> {
  const found = await rows<{ seq: number; createdAt: Date; body: string }>(
    db,
    `select seq, created_at, body from (
       select seq, created_at, body::text as body, sum(octet_length(body::text)) over (order by seq) as bytes
       from log_entries where organization_id = $1 and run_id = $2 and seq > $3 and seq <= $4) entry
     where bytes <= $5 or seq = $3 + 1 order by seq`,
    [organizationId, runId, after, to, limits.followedBytesMax],
  )
  const archived = { organizationId, runId, blobs, from: after + 1, to: (found[0]?.seq ?? to + 1) - 1 }
  const isWhole = archived.to < archived.from
  const entries = isWhole
    ? found.map((row) => ({ seq: row.seq, text: entryLine(runId, row) }))
    : await readArchivedBatch(db, archived)
  const last = entries.at(-1)
  // One that was deleted while it was read.
  if (!last)
    throw new AppError('run_not_found', { message: `The log of run ${runId} has no entry after ${after} any more.` })
  return { entries, lastSeq: last.seq, bytes: entries.reduce((sum, { text }) => sum + text.length, 0) }
}

/** What is archived of a batch; the rest comes with the next one. */
async function readArchivedBatch(db: Db, range: ReadArchivedEntries): Promise<LogBatch['entries']> {
  const entries: LogBatch['entries'] = []
  let bytes = 0
  for await (const entry of readArchivedEntries(db, range)) {
    bytes += Buffer.byteLength(entry.body)
    if (entries.length && bytes > limits.followedBytesMax) break
    entries.push({ seq: entry.seq, text: entryLine(range.runId, entry) })
  }
  return entries
}
