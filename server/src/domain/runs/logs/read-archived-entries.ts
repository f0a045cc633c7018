import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { StoredEntry } from './entry-line.ts'
import { unpackPiece } from './unpack-piece.ts'

/** The store that holds the archives of logs. Rejects where the bytes are not what was stored. */
export type ArchiveStore = { get(key: { organizationId: number; sha256: string }): Promise<Buffer | undefined> }

export type ReadArchivedEntries = RunIds & {
  blobs: ArchiveStore
  /** The numbers of the first and the last entry. */
  from: number
  to: number
  reverse?: boolean | undefined
  messageTypes?: readonly string[] | undefined
}

type Piece = { firstSeq: number; lastSeq: number; sha256: string }

/**
 * Those of these entries that are archived, piece by piece: no more than one is in memory. Entries are moved in one direction only, so
 * whoever has read `log_entries` before finds here all that was not there. Throws `ArchiveLost` where a piece is missing or damaged.
 */
export async function* readArchivedEntries(db: Db, options: ReadArchivedEntries): AsyncGenerator<StoredEntry> {
  const { from, to, reverse, messageTypes } = options
  const isWanted = ({ seq, messageType }: StoredEntry) =>
    seq >= from && seq <= to && (!messageTypes || messageTypes.includes(messageType))
  let piece = await findPiece(db, { ...options, at: reverse ? to : from })
  while (piece) {
    const entries = (await openPiece(db, { ...options, piece })).filter(isWanted)
    yield* reverse ? entries.reverse() : entries
    const at = reverse ? piece.firstSeq - 1 : piece.lastSeq + 1
    piece = at >= from && at <= to ? await findPiece(db, { ...options, at }) : undefined
  }
}

type At = ReadArchivedEntries & { at: number }

/** The piece with this entry, or the nearest one in the direction that has entries of these types. */
function findPiece(db: Db, { organizationId, runId, from, to, reverse, messageTypes, at }: At) {
  const values = [organizationId, runId, reverse ? from : at, reverse ? at : to, messageTypes ?? null]
  return maybeOne<Piece>(db, reverse ? lastPiece : firstPiece, values)
}

const pieces = `select first_seq, last_seq, sha256 from log_archives
  where organization_id = $1 and run_id = $2 and last_seq >= $3 and first_seq <= $4 and ($5::text[] is null or message_types && $5)`
const firstPiece = { name: 'first-log-piece', text: `${pieces} order by last_seq limit 1` }
const lastPiece = { name: 'last-log-piece', text: `${pieces} order by last_seq desc limit 1` }

export type OpenPiece = RunIds & { blobs: ArchiveStore; piece: Piece }

/** Empty where the run was deleted meanwhile. */
export async function openPiece(db: Db, { organizationId, runId, blobs, piece }: OpenPiece): Promise<StoredEntry[]> {
  const { firstSeq, lastSeq, sha256 } = piece
  try {
    const bytes = await blobs.get({ organizationId, sha256 })
    if (bytes) return await unpackPiece(bytes, { runId, firstSeq, lastSeq })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new ArchiveLost(runId, piece, { is: 'damaged', cause: error })
  }
  const isNamed = await maybeOne(
    db,
    'select from log_archives where organization_id = $1 and run_id = $2 and last_seq = $3 and sha256 = $4',
    [organizationId, runId, lastSeq, sha256],
  )
  if (isNamed) throw new ArchiveLost(runId, piece, { is: 'missing' })
  return []
}

/** A part of a log is not in the blob store as it was put there. The message is for the operator. */
export class ArchiveLost extends AppError {
  constructor(
    runId: number,
    { firstSeq, lastSeq, sha256 }: Piece,
    { is, cause }: { is: 'missing' | 'damaged'; cause?: unknown },
  ) {
    const message = `Entries ${firstSeq} to ${lastSeq} of the log of run ${runId} cannot be read: their archive ${sha256} in the blob store is ${is}. Restore it from a backup.`
    super('internal', { message, cause })
  }
}
