import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listTables, type Table } from './list-tables.ts'
import type { Manifest } from './manifest.ts'
import { Measured } from './measured.ts'

export const tableFile = (folder: string, name: string) => path.join(folder, 'tables', `${name}.copy.gz`)

/** Writes each table of the snapshot to a file, as PostgreSQL's COPY has it, and says what was written. */
export async function dumpTables(
  snapshot: pg.Client,
  folder: string,
  signal: AbortSignal,
): Promise<Manifest['tables']> {
  await mkdir(path.join(folder, 'tables'))
  const dumped: Manifest['tables'] = []
  for (const table of await listTables(snapshot)) dumped.push(await dumpTable(snapshot, { table, folder, signal }))
  return dumped
}

type DumpTable = { table: Table; folder: string; signal: AbortSignal }

async function dumpTable(
  snapshot: pg.Client,
  { table, folder, signal }: DumpTable,
): Promise<Manifest['tables'][number]> {
  const { name, columns } = table
  const quoted = columns.map((column) => snapshot.escapeIdentifier(column)).join()
  const copy = snapshot.query(copyTo(`copy (select ${quoted} from ${snapshot.escapeIdentifier(name)}) to stdout`))
  const measured = new Measured()
  const target = createWriteStream(tableFile(folder, name), { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(copy, createGzip({ level: 1 }), measured, target, { signal })
  return { name, columns, rows: copy.rowCount, ...measured.found() }
}
