/**
 * Where big bytes lie: images, artifacts. Bytes are named by what they are, so nothing that was stored ever changes, and
 * storing the same again does nothing. Many processes may use one store at once.
 */
import type { Readable } from 'node:stream'

export type BlobKey = { organizationId: number; sha256: string }

export interface BlobStore {
  /** Resolves when the bytes are safe. */
  put(organizationId: number, bytes: Uint8Array): Promise<{ sha256: string; bytes: number }>
  /** Undefined where there are none of this name. */
  get(key: BlobKey): Promise<Buffer | undefined>
  /** The same, for bytes that are passed on: they are not held in memory. */
  open(key: BlobKey): Promise<{ bytes: number; content: Readable } | undefined>
}
