import { createHash } from 'node:crypto'
import type { Db } from '#db/pool.ts'
import { recordBlobs, type BlobKind, type StoredBlob } from './record-blobs.ts'

/** The store that receives the bytes. */
export type BlobSink = { put(organizationId: number, bytes: Uint8Array): Promise<StoredBlob> }

/**
 * Stores bytes for the organization; the caller soon refers to them in a row of its own. The row is written before the bytes,
 * so that the store has none without a row, and a concurrent sweep leaves them alone.
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
