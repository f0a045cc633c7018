import type { Mask } from '#base/redaction/redactor.ts'
import type { JsonObject } from '#base/json.ts'
import { exportLimits } from '#base/export-limits.ts'
import { exportedTables, type ExportKind } from '#domain/runs/exports/exported-tables.ts'
import { listExportedEntries } from '#domain/runs/exports/list-exported-entries.ts'
import { listExportedRows } from '#domain/runs/exports/list-exported-rows.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import { filesOf, type NamedFile } from './files-of.ts'
import { listRepositoryItems } from './list-repository-items.ts'
import type { ArchiveItem } from './pack-items.ts'
import { pieceName } from './piece-name.ts'

/** What an export is of. `organizationIds`: whose rows are read; of a person those of all organizations that they may read. */
export type ExportSubject = {
  kind: ExportKind
  id: number
  organizationIds: readonly number[]
  /** Throws where it is not there any more. */
  requireThere: () => Promise<void>
}

export type ListItems = ExportSubject & {
  app: Pick<HttpApp, 'blobs' | 'hosts' | 'redactors' | 'clock'>
  signal: AbortSignal
}

/** What the last file says: of each table how many rows, of each kind of files how many, and what was not there any more. */
type Manifest = {
  rows: Record<string, number>
  files: Record<string, number>
  missing_files: string[]
  repositories: JsonObject[]
}

/**
 * The files of an export. The last one is the manifest: where it is not there, the export is cut off. It is written only while
 * what was exported is still there.
 */
export async function* listItems(db: HttpDb, options: ListItems): AsyncGenerator<ArchiveItem> {
  const { kind, id, organizationIds, app, requireThere } = options
  const beganAt = app.clock.now()
  const manifest: Manifest = { rows: {}, files: {}, missing_files: [], repositories: [] }
  for (const table of Object.keys(exportedTables)) {
    if (!exportedTables[table]![kind]) continue
    await requireThere()
    yield* listTableItems(db, { ...options, table, manifest })
  }
  if (kind !== 'user') yield* listRepositoryItems(db, { ...options, organizationId: organizationIds[0]!, manifest })
  await requireThere()
  const head = { format: 'runwright-export', version: 1, kind, id, organization_ids: organizationIds }
  const times = { began_at: beganAt.toISOString(), ended_at: app.clock.now().toISOString() }
  const content = Buffer.from(`${JSON.stringify({ ...head, ...times, ...manifest }, null, 2)}\n`)
  yield { name: 'manifest.json', bytes: content.length, content }
}

type TableItems = ListItems & { table: string; manifest: Manifest }

/** The rows of one table, in as many files as it takes, each followed by the files that its rows name. */
async function* listTableItems(db: HttpDb, options: TableItems): AsyncGenerator<ArchiveItem> {
  const { table, manifest, signal } = options
  let [lines, bytes, pieces]: [string[], number, number] = [[], 0, 0]
  let files: NamedFile[] = []
  manifest.rows[table] = 0
  const takePiece = (): ArchiveItem => {
    const content = Buffer.from(lines.join(''))
    pieces++
    ;[lines, bytes] = [[], 0]
    return { name: pieceName(`tables/${table}.jsonl`, pieces), bytes: content.length, content }
  }
  for await (const line of listLines(db, options)) {
    signal.throwIfAborted()
    lines.push(`${line}\n`)
    bytes += Buffer.byteLength(line) + 1
    manifest.rows[table]++
    files.push(...filesOf(table, line))
    if (bytes < exportLimits.pieceBytes) continue
    yield takePiece()
    yield* listFileItems(files, options)
    files = []
  }
  if (lines.length) yield takePiece()
  yield* listFileItems(files, options)
}

async function* listLines(
  db: HttpDb,
  { table, kind, id, organizationIds, app, manifest }: TableItems,
): AsyncGenerator<string> {
  const { masked } = exportedTables[table]!
  const maskOf = lastMask(app)
  const alone = kind === 'user' ? [null] : []
  for (const organizationId of [...alone, ...organizationIds]) {
    const named = kind === 'organization' ? null : id
    const rows = { kind, organizationId, id: named }
    const lines =
      table === 'log_entries'
        ? listExportedEntries(db, { ...rows, blobs: app.blobs, onMissing: (name) => addMissing(manifest, name) })
        : listExportedRows(db, { ...rows, table })
    for await (const line of lines) {
      if (!masked || organizationId === null) yield line
      else {
        const row = JSON.parse(line) as JsonObject
        const mask = await maskOf({ organizationId, runId: Number(row[masked]) })
        yield JSON.stringify(cleanJson(row, mask))
      }
    }
  }
}

/** Rows come run by run, so that the secrets of each run are learned once. */
function lastMask({ redactors }: Pick<HttpApp, 'redactors'>) {
  let known: { runId: number; mask: Mask } | undefined
  return async ({ organizationId, runId }: { organizationId: number; runId: number }): Promise<Mask> => {
    if (known?.runId !== runId) known = { runId, mask: (await redactors.read({ organizationId, runId })).mask }
    return known.mask
  }
}

async function* listFileItems(files: NamedFile[], { app, manifest }: TableItems): AsyncGenerator<ArchiveItem> {
  for (const { folder, name, organizationId, sha256 } of files) {
    const blob = await app.blobs.open({ organizationId, sha256 })
    if (!blob) {
      addMissing(manifest, `${folder}/${name}`)
      continue
    }
    manifest.files[folder] = (manifest.files[folder] ?? 0) + 1
    yield { name: `${folder}/${name}`, ...blob }
  }
}

function addMissing({ missing_files }: Manifest, name: string): void {
  if (missing_files.length < exportLimits.missingNamedMax) missing_files.push(name)
}
