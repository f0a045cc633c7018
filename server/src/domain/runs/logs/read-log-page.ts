import type pg from 'pg'
import type { Db } from '#db/pool.ts'
import { entryLine } from './entry-line.ts'
import { readArchivedEntries, type ArchiveStore } from './read-archived-entries.ts'

export type ReadLogPage = {
  organizationId: number
  runId: number
  /** The numbers of the first and the last entry. */
  from: number
  to: number
  reverse?: boolean | undefined
  /** Where archived entries lie. */
  blobs: ArchiveStore
}

/** A stretch of a run's log, each entry as the JSON text that is sent. Costs the same at any depth. */
export async function readLogPage(
  db: Db,
  { organizationId, runId, from, to, reverse, blobs }: ReadLogPage,
): Promise<string[]> {
  // As PostgreSQL sends it, in arrays: parsing times and naming columns would cost more than all the rest.
  const { rows } = await (db as pg.Pool).query<[seq: string, time: string, body: string]>({
    name: 'log-page',
    rowMode: 'array',
    types: asTheyCome,
    text: `select seq, created_at, body from log_entries
      where organization_id = $1 and run_id = $2 and seq between $3 and $4 order by seq`,
    values: [organizationId, runId, from, to],
  } as pg.QueryArrayConfig)
  const entries = rows.map(([seq, createdAt, body]) => entryLine(runId, { seq, createdAt, body }))
  const first = rows[0] ? Number(rows[0][0]) : to + 1
  if (first > from) {
    const archived: string[] = []
    for await (const entry of readArchivedEntries(db, { organizationId, runId, blobs, from, to: first - 1 }))
      archived.push(entryLine(runId, entry))
    entries.unshift(...archived)
  }
  return reverse ? entries.reverse() : entries
}

const asTheyCome = { getTypeParser: () => (text: string) => text }
