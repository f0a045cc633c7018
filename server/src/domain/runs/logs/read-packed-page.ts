import { zstdDecompressSync } from 'node:zlib'
import { maybeOne, type Db } from '#db/pool.ts'
import type { ReadLogPage } from './read-log-page.ts'
import { packedPageEntries } from './pack-log.ts'

/** A stretch of a log as bytes, if it is a page that was packed: entries as they are sent, joined by commas. */
export async function readPackedPage(
  db: Db,
  { organizationId, runId, from, to, reverse }: Omit<ReadLogPage, 'blobs'>,
): Promise<Buffer | undefined> {
  if (reverse || to - from !== packedPageEntries - 1 || to % packedPageEntries !== 0) return undefined
  const found = await maybeOne<{ size: number; body: Buffer }>(db, readPage, [
    organizationId,
    runId,
    to / packedPageEntries,
  ])
  // Room for a byte more than there is: what fills its buffer to the end is asked for more, with another buffer.
  return found && zstdDecompressSync(found.body, { chunkSize: Math.max(64, found.size + 1) })
}

const readPage = {
  name: 'packed-page',
  text: 'select size, body from log_pages where organization_id = $1 and run_id = $2 and page = $3',
}
