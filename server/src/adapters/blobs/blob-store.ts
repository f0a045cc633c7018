/**
 * Where big bytes lie: images, artifacts, checkpoints. Bytes are named by what they are, so nothing that was stored ever
 * changes, and storing the same again does no harm. Many processes may use one store at once. A store that cannot be
 * used now is tried again for some seconds; then every verb rejects with `BlobsUnavailable`.
 */
import type { Readable } from 'node:stream'
import { AppError } from '#base/errors.ts'

export type BlobKey = { organizationId: number; sha256: string }

/** Bytes, or a file on this machine that is not held in memory. */
export type BlobContent = Uint8Array | { file: string }

/** What is stored, as a sweep sees it. `storedAt` is when it was put last. */
export type ListedBlob = BlobKey & { bytes: number; storedAt: Date }

export interface BlobStore {
  /** Resolves when the bytes are safe. */
  put(organizationId: number, content: BlobContent): Promise<{ sha256: string; bytes: number }>
  /** Undefined where there are none of this name. Rejects with `BlobDamaged` when they are not what their name says. */
  get(key: BlobKey): Promise<Buffer | undefined>
  /** The same, for bytes that are passed on: they are not held in memory, and not looked at. */
  open(key: BlobKey): Promise<{ bytes: number; content: Readable } | undefined>
  /** Does nothing where there are none. */
  delete(key: BlobKey): Promise<void>
  /** Everything that is stored, in no order; what is put or deleted meanwhile may be missed. */
  list(): AsyncIterable<ListedBlob>
  /** Resolves when the store can be used now; tried once. */
  probe(): Promise<void>
}

/** The store cannot be used now. Answers 503; the message is for the operator and names no secret. */
export class BlobsUnavailable extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('unavailable', { message, ...options })
  }
}

/** What lies under this name is not what was put there. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged'
  constructor({ sha256 }: BlobKey) {
    super(`The blob ${sha256} is damaged: its bytes are not those that were stored.`)
  }
}
