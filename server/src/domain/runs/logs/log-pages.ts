import { ByteCache } from '#base/byte-cache.ts'
import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import type { ArchiveStore } from './read-archived-entries.ts'
import { readLogPage, type ReadLogPage } from './read-log-page.ts'
import { readPackedPage } from './read-packed-page.ts'

export type LogPage = Omit<ReadLogPage, 'blobs'>

/**
 * Stretches of logs, ready to be sent. Entries never change and their numbers have no hole, so the same stretch of a
 * run's log is the same forever: nothing here ever has to be forgotten, and the full pages of a run at work stay good.
 * Whoever asks has been found to be allowed to.
 */
export class LogPages {
  readonly #pool: Db
  readonly #blobs: ArchiveStore
  readonly #pages = new ByteCache<Buffer>(limits.logPagesCachedBytesMax)

  /** The pool itself: a page is read by the key that begins with its organization, and as a tenant would cost twice as much. */
  constructor(pool: Db, blobs: ArchiveStore) {
    this.#pool = pool
    this.#blobs = blobs
  }

  /** The page's entries between the two texts, as one piece of bytes. */
  async get(page: LogPage, { before, after }: { before: string; after: string }): Promise<Buffer> {
    if (page.from > page.to) return Buffer.from(before + after)
    const key = `${page.organizationId}/${page.runId}/${page.from}-${page.to}${page.reverse ? ' reversed' : ''}`
    const known = this.#pages.get(key)
    const stretch = known ?? (await this.#read(page))
    if (!known) this.#pages.set(key, stretch, stretch.length)
    return Buffer.concat([Buffer.from(before), stretch, Buffer.from(after)])
  }

  async #read(page: LogPage): Promise<Buffer> {
    return (
      (await readPackedPage(this.#pool, page)) ??
      Buffer.from((await readLogPage(this.#pool, { ...page, blobs: this.#blobs })).join(','))
    )
  }
}
