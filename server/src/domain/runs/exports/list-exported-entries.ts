import { rows, type Db } from '#db/pool.ts'
import type { StoredEntry } from '#domain/runs/logs/entry-line.ts'
import { ArchiveLost, openPiece, type ArchiveStore } from '#domain/runs/logs/read-archived-entries.ts'
import { exportedTables } from './exported-tables.ts'
import { rowReader, type FoundRow, type ListExportedRows } from './list-exported-rows.ts'

export type ListExportedEntries = Omit<ListExportedRows, 'table'> & {
  /** Where archived entries lie. */
  blobs: ArchiveStore
  /** Told of entries whose archive is missing or damaged. */
  onMissing: (name: string) => void
}

/** After which entry it goes on. */
type Place = { runId: number; seq: number }
type Piece = { runId: number; firstSeq: number; lastSeq: number; sha256: string }

const isBefore = (a: Place, b: Place) => a.runId < b.runId || (a.runId === b.runId && a.seq < b.seq)
const placeOf = ({ at: [runId, seq] }: FoundRow): Place => ({ runId: Number(runId), seq: Number(seq) })

/**
 * The entries of logs that an export has, as `listExportedRows`, wherever they are. Rows are read before the piece that might come before
 * them: an entry that is moved in between is in both, and is told once, by its place.
 */
export async function* listExportedEntries(db: Db, options: ListExportedEntries): AsyncGenerator<string> {
  const [part] = exportedTables['log_entries']![options.kind] ?? []
  if (!part || options.organizationId === null) return
  const read = rowReader(db, { ...options, table: 'log_entries', part })
  let after: Place = { runId: 0, seq: 0 }
  for (let found: FoundRow[] = []; ;) {
    found = found.filter((row) => isBefore(after, placeOf(row)))
    if (!found.length) found = await read([String(after.runId), String(after.seq)])
    const piece = await findPiece(db, { ...options, where: part.where, after })
    const first = found[0] && placeOf(found[0])
    if (piece && (!first || isBefore({ runId: piece.runId, seq: piece.firstSeq }, first))) {
      yield* listPiece(db, { ...options, piece, after })
      after = { runId: piece.runId, seq: piece.lastSeq }
    } else if (first) {
      const end = piece && { runId: piece.runId, seq: piece.firstSeq }
      const next = end ? found.filter((row) => isBefore(placeOf(row), end)) : found
      for (const { line } of next) yield line.replaceAll(/[\r\n]/g, ' ')
      after = placeOf(next.at(-1) ?? found[0]!)
    } else return
  }
}

type FindPiece = ListExportedEntries & { where: string; after: Place }

async function findPiece(db: Db, { organizationId, id, where, after }: FindPiece): Promise<Piece | undefined> {
  const values = where.includes('$2') ? [organizationId, id] : [organizationId]
  const text = `select t.run_id as "runId", t.first_seq as "firstSeq", t.last_seq as "lastSeq", t.sha256 from log_archives t
    where ${where} and (t.run_id, t.last_seq) > ($${values.length + 1}, $${values.length + 2}) order by t.run_id, t.last_seq limit 1`
  return (await db.query<Piece>(text, [...values, after.runId, after.seq])).rows[0]
}

type ListPiece = ListExportedEntries & { piece: Piece; after: Place }

async function* listPiece(db: Db, { organizationId, blobs, onMissing, piece, after }: ListPiece) {
  const { runId, firstSeq, lastSeq } = piece
  const entries = await openPiece(db, { organizationId: organizationId!, runId, blobs, piece }).catch(
    (error: unknown): StoredEntry[] => {
      if (!(error instanceof ArchiveLost)) throw error
      onMissing(`log_entries/${runId}/${firstSeq}-${lastSeq}`)
      return []
    },
  )
  const rest = entries.filter(({ seq }) => runId !== after.runId || seq > after.seq)
  // By PostgreSQL, so that each line is as it was.
  const lines = await rows<{ line: string }>(db, entryLines, [
    organizationId,
    runId,
    rest.map(({ seq }) => seq),
    rest.map(({ createdAt }) => createdAt),
    rest.map(({ messageType }) => messageType),
    rest.map(({ body }) => body),
  ])
  for (const { line } of lines) yield line.replaceAll(/[\r\n]/g, ' ')
}

const entryLines = `select row_to_json(c)::text as line from (
    select $1::bigint as organization_id, $2::bigint as run_id, seq, created_at, message_type, body
    from unnest($3::int[], $4::timestamptz[], $5::text[], $6::json[]) as e (seq, created_at, message_type, body) order by seq) c`
