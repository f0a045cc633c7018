import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { headOfPiece, pieceSeparator, type PieceRange } from './head-of-piece.ts'
import type { StoredEntry } from './entry-line.ts'

const decompress = promisify(zstdDecompress)
/** What is unpacked at most: an entry is far smaller. */
const unpackedBytesMax = 64 * 2 ** 20

/** The entries of a piece. Rejects where the bytes are not those of this piece. */
export async function unpackPiece(bytes: Buffer, range: PieceRange): Promise<StoredEntry[]> {
  const text = (await decompress(bytes, { maxOutputLength: unpackedBytesMax })).toString()
  const [head, ...parts] = text.split(pieceSeparator)
  const entries = range.lastSeq - range.firstSeq + 1
  if (head !== headOfPiece(range) || parts.length !== entries * 3) throw new Error('It is not this piece of a log.')
  return Array.from({ length: entries }, (_, n) => ({
    seq: range.firstSeq + n,
    createdAt: parts[n * 3]!,
    messageType: parts[n * 3 + 1]!,
    body: parts[n * 3 + 2]!,
  }))
}
