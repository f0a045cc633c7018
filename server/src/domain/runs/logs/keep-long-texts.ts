import type { Entry } from '#base/entry.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import type { Db } from '#db/pool.ts'
import { storeBlob, type BlobSink } from '#domain/runs/blobs/store-blob.ts'
import type { StoredBlob } from '#domain/runs/blobs/record-blobs.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { isStorageFull } from '#domain/accounts/storage/storage.ts'
import { cutEntry } from './cut-entry.ts'
import { cleanEntry } from './entry-text.ts'

/** The whole of a text that an entry shows a part of; it becomes an artifact with the entry. */
export type KeptText = { name: string; contentType: string; blob: StoredBlob }
export type KeptEntry = Entry & { kept?: KeptText[] }

export type KeepLongTexts = {
  blobs: BlobSink
  mask: Mask
  holder: Pick<Holder, 'organizationId' | 'turn'>
  /** Where the entries stand in their run, in `a-z0-9-`; the same when they are written again after a crash. */
  at: string
  entries: Entry[]
}

/**
 * Makes entries ready to be written that may be larger than an entry may be: what has to be cut is stored, masked, before
 * the transaction that writes them. One that never comes leaves bytes that no row names, which are swept.
 */
export async function keepLongTexts(db: Db, { blobs, mask, holder, at, entries }: KeepLongTexts): Promise<KeptEntry[]> {
  const ready: KeptEntry[] = []
  for (const [index, options] of entries.entries()) {
    const place = index ? `${at}-${index + 1}` : at
    const { entry, wholes } = cutEntry(cleanEntry(options, mask), { turn: holder.turn, at: place })
    const kept: KeptText[] = []
    for (const { name, contentType, text } of wholes) {
      const bytes = Buffer.from(text)
      const blob = await storeBlob(db, blobs, { ...holder, bytes, kind: 'logs' }).catch(leaveOut)
      if (blob) kept.push({ name, contentType, blob })
    }
    ready.push(kept.length ? { ...entry, kept } : entry)
  }
  return ready
}

/** Where there is no room for the whole, the entry with the beginning and the end of it is all that stays. */
function leaveOut(error: unknown): undefined {
  if (!isStorageFull(error)) throw error
}
