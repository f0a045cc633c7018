import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { ArchiveStore } from './read-archived-entries.ts'
import { readLogPage } from './read-log-page.ts'

/** Entries of a packed page: what is read where nobody asks for another size. */
export const packedPageEntries = 100
const compress = promisify(zstdCompress)

export type PackLog = RunIds & {
  /** How many entries the log has. */
  entries: number
  /** Where archived entries lie. */
  blobs: ArchiveStore
}

/**
 * Stores the full pages of a run's log ready to be sent, those that are not yet: entries never change, and putting a page
 * together costs ten times what unpacking it does. Pages of very long entries, and of archived ones, are left as they are. Answers how many.
 */
export async function packLog(db: Db, { organizationId, runId, entries, blobs }: PackLog): Promise<number> {
  const full = Math.floor(entries / packedPageEntries)
  if (!full) return 0
  const { last } = await one<{ last: number }>(
    db,
    `select greatest((select max(page) from log_pages where organization_id = $1 and run_id = $2),
       (select ceil(max(last_seq) / $3::numeric)::int from log_archives where organization_id = $1 and run_id = $2), 0) as last`,
    [organizationId, runId, packedPageEntries],
  )
  let packed = 0
  for (let page = last + 1; page <= full; page++)
    if (await packPage(db, { organizationId, runId, blobs, page })) packed++
  return packed
}

/** One at a time, because entries may be long. False for a page that is left as it is. */
async function packPage(
  db: Db,
  { organizationId, runId, blobs, page }: Omit<PackLog, 'entries'> & { page: number },
): Promise<boolean> {
  const to = page * packedPageEntries
  const lines = await readLogPage(db, { organizationId, runId, blobs, from: to - packedPageEntries + 1, to })
  const bytes = Buffer.from(lines.join(','))
  if (bytes.length > limits.logPagePackedBytesMax) return false
  await db.query(
    `insert into log_pages (organization_id, run_id, page, size, body) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [organizationId, runId, page, bytes.length, await compress(bytes)],
  )
  return true
}
