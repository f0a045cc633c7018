import { createReadStream } from 'node:fs'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import { exportLimits } from '#base/export-limits.ts'
import type { JsonObject } from '#base/json.ts'
import { listExportedRepositories } from '#domain/runs/exports/list-exported-repositories.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import type { ExportKind } from '#domain/runs/exports/exported-tables.ts'
import type { ArchiveItem } from './pack-items.ts'
import { pieceName } from './piece-name.ts'

export type ListRepositoryItems = {
  kind: ExportKind
  id: number
  organizationId: number
  app: Pick<HttpApp, 'hosts'>
  signal: AbortSignal
  manifest: { repositories: JsonObject[] }
}

/** Repositories of the built-in host: each as a Git bundle, in as many files as it takes, and its large files. */
export async function* listRepositoryItems(db: HttpDb, options: ListRepositoryItems): AsyncGenerator<ArchiveItem> {
  const { organizationId, manifest } = options
  for await (const { name, path, isOfRun } of listExportedRepositories(db, options)) {
    const repo = { organizationId, path }
    try {
      const counts = { bundle_bytes: 0, lfs_objects: 0 }
      yield* listBundle({ ...options, repo, folder: `repositories/${name}`, counts })
      yield* listLargeFiles({ ...options, repo, folder: `repositories/${name}`, counts })
      manifest.repositories.push({ name, ...counts })
    } catch (error) {
      // A run that has changed nothing has none, and retention may have removed it.
      const isGone = error instanceof HostError && error.code === 'not_found'
      if (!isOfRun || !isGone) throw error
    }
  }
}

type OfRepository = ListRepositoryItems & {
  repo: RepoRef
  folder: string
  counts: { bundle_bytes: number; lfs_objects: number }
}

async function* listBundle({ app, repo, folder, counts, signal }: OfRepository): AsyncGenerator<ArchiveItem> {
  let [chunks, bytes, pieces]: [Uint8Array[], number, number] = [[], 0, 0]
  const takePiece = (): ArchiveItem => {
    const content = Buffer.concat(chunks)
    pieces++
    counts.bundle_bytes += bytes
    ;[chunks, bytes] = [[], 0]
    return { name: pieceName(`${folder}/repository.bundle`, pieces), bytes: content.length, content }
  }
  for await (const chunk of app.hosts.admin.bundle(repo, { signal })) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= exportLimits.pieceBytes) yield takePiece()
  }
  if (bytes) yield takePiece()
}

async function* listLargeFiles({ app, repo, folder, counts }: OfRepository): AsyncGenerator<ArchiveItem> {
  for await (const { oid, bytes, file } of app.hosts.admin.listLfsObjects(repo)) {
    counts.lfs_objects++
    yield { name: `${folder}/lfs/${oid}`, bytes, content: createReadStream(file) }
  }
}
