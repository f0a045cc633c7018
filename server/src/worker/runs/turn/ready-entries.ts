import type { App } from '#app/app.ts'
import type { Entry } from '#base/entry.ts'
import { keepLongTexts, type KeptEntry } from '#domain/runs/logs/keep-long-texts.ts'
import type { Holder } from '#domain/runs/holder.ts'

/** Entries as they can be written: what is too long for one of them is stored. Before the transaction that writes them. */
export function readyEntries(
  { pool, blobs, mask }: Pick<App, 'pool' | 'blobs' | 'mask'>,
  options: { holder: Holder; at: string; entries: Entry[] },
): Promise<KeptEntry[]> {
  return keepLongTexts(pool, { blobs, mask, ...options })
}
