import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { listLog } from './list-log.ts'

/** Entries of a packed page: what is read where nobody asks for another size. */
export const packedPageEntries = 100
/** How many are packed at once. */
const batchPages = 10

const compress = promisify(zstdCompress)

export type PackLog = RunIds & {
  /** How many entries the log has. */
  entries: number
}

/**
 * Stores the full pages of a run's log ready to be sent, those that are not yet: entries never change, and putting a page
 * together costs ten times what unpacking it does. Pages of very long entries are left as they are. Answers how many.
 */
export async function packLog(db: Db, { organizationId, runId, entries }: PackLog): Promise<number> {
  const full = Math.floor(entries / packedPageEntries)
  if (!full) return 0
  const { last } = await one<{ last: number }>(
    db,
    'select coalesce(max(page), 0) as last from log_pages where organization_id = $1 and run_id = $2',
    [organizationId, runId],
  )
  let packed = 0
  for (let page = last + 1; page <= full; page += batchPages) {
    const to = Math.min(full, page + batchPages - 1)
    packed += await packPages(db, { organizationId, runId, from: page, to })
  }
  return packed
}

async function packPages(
  db: Db,
  { organizationId, runId, from, to }: RunIds & { from: number; to: number },
): Promise<number> {
  const range = { from: (from - 1) * packedPageEntries + 1, to: to * packedPageEntries }
  const lines = await listLog(db, { organizationId, runId, ...range })
  const ready = Array.from({ length: to - from + 1 }, (_, index) => {
    const first = index * packedPageEntries
    return { page: from + index, bytes: Buffer.from(lines.slice(first, first + packedPageEntries).join(',')) }
  }).filter(({ bytes }) => bytes.length <= limits.logPagePackedBytesMax)
  const bodies = await Promise.all(ready.map(({ bytes }) => compress(bytes)))
  await db.query(
    `insert into log_pages (organization_id, run_id, page, size, body)
     select $1, $2, * from unnest($3::int[], $4::int[], $5::bytea[]) on conflict do nothing`,
    [organizationId, runId, ready.map(({ page }) => page), ready.map(({ bytes }) => bytes.length), bodies],
  )
  return ready.length
}
