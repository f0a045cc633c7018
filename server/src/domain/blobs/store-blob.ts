import { createHash } from 'node:crypto'
import type { Db } from '#db/pool.ts'
import { recordBlobs, type BlobKind, type StoredBlob } from './record-blobs.ts'

/** Where the bytes go. */
export type BlobSink = { put(organizationId: number, bytes: Uint8Array): Promise<StoredBlob> }

/**
 * Stores bytes for the organization; whoever is given them names them in a row of its own soon. The row comes before the
 * bytes, so that none lie in the store which no row tells of, and so that a sweep at the same moment lets them be.
 */
export async function storeBlob(
  db: Db,
  blobs: BlobSink,
  { organizationId, bytes, kind }: { organizationId: number; bytes: Uint8Array; kind?: BlobKind },
): Promise<StoredBlob> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await recordBlobs(db, { organizationId, blobs: [{ sha256, bytes: bytes.length }], ...(kind && { kind }) })
  return blobs.put(organizationId, bytes)
}
