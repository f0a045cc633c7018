import { blobPath } from '#adapters/blobs/blob-path.ts'
import type { Manifest } from './manifest.ts'
import { openTable, readRows } from './read-table.ts'

/** Where rows of a backup have the names of blobs; those of images are in a list. `list-kept-blobs.ts` knows the same. */
const named = {
  artifacts: 'sha256',
  checkpoints: 'sha256',
  checks: 'log_sha256',
  log_archives: 'sha256',
  messages: 'images',
}

/** The paths of the blobs that rows refer to, some more than once. */
export async function* listNamedBlobs(backup: string, { tables }: Pick<Manifest, 'tables'>): AsyncGenerator<string> {
  for (const table of tables) {
    const column = Object.hasOwn(named, table.name)
      ? table.columns.indexOf(named[table.name as keyof typeof named])
      : -1
    const organization = table.columns.indexOf('organization_id')
    if (column < 0 || organization < 0) continue
    try {
      for await (const row of readRows(await openTable(backup, table))) {
        const organizationId = Number(row[organization])
        for (const sha256 of namesIn(row[column] ?? null)) yield pathOf(organizationId, sha256)
      }
    } catch {
      // A table that cannot be read has been told of.
    }
  }
}

function namesIn(field: string | null): string[] {
  if (field === null) return []
  if (!field.startsWith('[')) return [field]
  return (JSON.parse(field) as { sha256?: unknown }[]).map(({ sha256 }) => String(sha256))
}

function pathOf(organizationId: number, sha256: string): string {
  try {
    return blobPath({ organizationId, sha256 })
  } catch {
    return `${organizationId}/${sha256.slice(0, 100)}`
  }
}
