import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { headOfPiece, pieceSeparator, type PieceRange } from './head-of-piece.ts'
import type { StoredEntry } from './entry-line.ts'

const compress = promisify(zstdCompress)

/** Entries as the bytes of a piece of an archived log. */
export async function packPiece(entries: readonly StoredEntry[], range: PieceRange): Promise<Buffer> {
  const parts = entries.flatMap(({ createdAt, messageType, body }) => [createdAt, messageType, body])
  return compress([headOfPiece(range), ...parts].join(pieceSeparator))
}
