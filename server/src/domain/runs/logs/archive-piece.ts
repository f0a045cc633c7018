import type pg from 'pg'
import { limits } from '#base/limits.ts'
import { maybeOne, one, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { storeBlob, type BlobSink } from '#domain/runs/blobs/store-blob.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { StoredEntry } from './entry-line.ts'
import { packedPageEntries } from './pack-log.ts'
import { packPiece } from './pack-piece.ts'

/** What bounds one piece, and with it what a page of a log takes to read: its entries, and their bytes unless one alone has more. */
const pieceEntriesMax = 1_000
const pieceBytesMax = 2 ** 20

export type ArchivePiece = RunIds & {
  blobs: BlobSink
  /** How many entries it has at most; as `pieceEntriesMax` says when left out. */
  entriesMax?: number
}

/**
 * Moves the next entries of an ended run's log to the blob store. The bytes are safe before one transaction names them and deletes the
 * entries, so whoever dies in between has moved nothing, and leaves bytes for the sweep. False where nothing is left to move, or the
 * run goes on, was deleted, or is archived by somebody else.
 */
export async function archivePiece(pool: pg.Pool, options: ArchivePiece): Promise<boolean> {
  const { organizationId, runId, blobs, entriesMax = pieceEntriesMax } = options
  const ids = { organizationId, runId }
  if (!(await mayArchive(pool, ids))) return false
  const firstSeq = (await lastArchived(pool, ids)) + 1
  const entries = await readNext(pool, { ...ids, firstSeq, entriesMax })
  if (!entries.length) return false
  const range = { ...ids, firstSeq, lastSeq: firstSeq + entries.length - 1 }
  const { sha256 } = await storeBlob(pool, blobs, {
    organizationId,
    bytes: await packPiece(entries, range),
    kind: 'log_archives',
  })
  const messageTypes = [...new Set(entries.map(({ messageType }) => messageType))]
  return inTransaction(pool, (tx) => move(tx, { ...range, messageTypes, sha256 }))
}

/** Whether the run has ended and its log is still kept. */
const mayArchive = async (db: Db, { organizationId, runId }: RunIds) =>
  (await maybeOne(db, endedRun, [organizationId, runId])) !== undefined

/** The same, and so it stays until the transaction ends. */
const keepEnded = async (tx: Db, { organizationId, runId }: RunIds) =>
  (await maybeOne(tx, `${endedRun} for update of h`, [organizationId, runId])) !== undefined

const endedRun = `select from run_heads h join runs r on r.organization_id = h.organization_id and r.id = h.run_id
  where h.organization_id = $1 and h.run_id = $2 and h.status in ('completed', 'failed', 'cancelled') and not r.deleted_parts @> '{logs}'`

async function lastArchived(db: Db, { organizationId, runId }: RunIds): Promise<number> {
  const { last } = await one<{ last: number }>(
    db,
    'select coalesce(max(last_seq), 0) as last from log_archives where organization_id = $1 and run_id = $2',
    [organizationId, runId],
  )
  return last
}

type ReadNext = RunIds & { firstSeq: number; entriesMax: number }

/** As many as a piece may have, without a hole. */
async function readNext(db: Db, { organizationId, runId, firstSeq, entriesMax }: ReadNext): Promise<StoredEntry[]> {
  const found = await rows<StoredEntry>(
    db,
    `select seq, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as created_at, message_type, body
     from (
       select seq, created_at, message_type, body::text as body, sum(octet_length(body::text)) over (order by seq) as bytes
       from log_entries where organization_id = $1 and run_id = $2 and seq between $3 and $3 + $4 - 1) entry
     where bytes <= $5 or seq = $3 order by seq`,
    [organizationId, runId, firstSeq, entriesMax, pieceBytesMax],
  )
  const hole = found.findIndex(({ seq }, n) => seq !== firstSeq + n)
  return hole < 0 ? found : found.slice(0, hole)
}

type Move = RunIds & { firstSeq: number; lastSeq: number; messageTypes: string[]; sha256: string }

async function move(tx: Db, piece: Move): Promise<boolean> {
  const { organizationId, runId, firstSeq, lastSeq, messageTypes, sha256 } = piece
  if (!(await keepEnded(tx, piece))) return false
  if ((await lastArchived(tx, piece)) !== firstSeq - 1) return false
  // Where this took so long that the bytes were swept, they are stored again next time.
  const { rowCount: isThere } = await tx.query(
    `update blobs set look_at = now() + $3 * interval '1 millisecond' where organization_id = $1 and sha256 = $2`,
    [organizationId, sha256, limits.blobUnnamedMs],
  )
  if (!isThere) return false
  const range = [organizationId, runId, firstSeq, lastSeq]
  const { rowCount: moved } = await tx.query(
    'delete from log_entries where organization_id = $1 and run_id = $2 and seq between $3 and $4',
    range,
  )
  if (moved !== lastSeq - firstSeq + 1) throw new Error(`The log of run ${runId} changed while it was archived.`)
  // They have the same entries once more.
  await tx.query(
    `delete from log_pages where organization_id = $1 and run_id = $2 and page between ($3 - 1) / $5 + 1 and ($4 - 1) / $5 + 1`,
    [...range, packedPageEntries],
  )
  await tx.query(
    `insert into log_archives (organization_id, run_id, first_seq, last_seq, message_types, sha256) values ($1, $2, $3, $4, $5, $6)`,
    [...range, messageTypes, sha256],
  )
  return true
}
