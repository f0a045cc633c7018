import { createHash } from 'node:crypto'
import { limits } from '#base/limits.ts'

/** Bytes that a row names, and where they lie in an archive. */
export type NamedFile = { folder: string; name: string; organizationId: number; sha256: string }

type Row = { organization_id: number; sha256?: string; log_sha256?: string | null; images?: { sha256: string }[] }
type Ids = { run_id?: number; id?: number; n?: number; name?: string }

/** The files that a row of an archive names. */
export function filesOf(table: string, line: string): NamedFile[] {
  const read = readers[table]
  if (!read) return []
  const row = JSON.parse(line) as Row & Ids
  return read(row).map((file) => ({ ...file, organizationId: row.organization_id }))
}

const readers: Record<string, (row: Row & Ids) => Omit<NamedFile, 'organizationId'>[]> = {
  artifacts: ({ run_id, name = '', sha256 = '' }) => [
    { folder: 'artifacts', name: `${run_id}/${isPlain(name) ? name : digestOf(name)}`, sha256 },
  ],
  messages: ({ run_id, n, images = [] }) =>
    images.map(({ sha256 }, at) => ({ folder: 'images', name: `${run_id}/${n}-${at + 1}`, sha256 })),
  checks: ({ id, log_sha256 }) => (log_sha256 ? [{ folder: 'check_logs', name: `${id}.log`, sha256: log_sha256 }] : []),
}

const digestOf = (name: string) => createHash('sha256').update(name).digest('hex')

/** An agent has named it: it may not lead out of the folder in which the archive is unpacked. */
const isPlain = (name: string) =>
  !/^\.|[\p{Cc}\p{Cs}/\\]/u.test(name) && name !== '' && Buffer.byteLength(name) <= limits.artifactNameBytesMax
