import { mkdir, open, rename, stat } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import type { Config } from '#base/config/config.ts'
import { lowerPriority } from '#base/lower-priority.ts'
import { version } from '#base/version.ts'
import { collectingLock } from '#domain/accounts/storage/may-collect.ts'
import { copyBlobs, noteBlobs } from './backup-blobs.ts'
import { BackupError, explainDisk } from './backup-error.ts'
import { copyRepositories, countMissing, noteRefs, settleAllRefs } from './backup-repositories.ts'
import { dumpTables } from './dump-tables.ts'
import { FileListWriter } from './file-list.ts'
import { listMigrations, listSequences } from './list-tables.ts'
import { formatVersion, writeManifest, type Manifest } from './manifest.ts'
import { openPlace, type Place } from './open-place.ts'
import { openSession } from './open-session.ts'
import { requireKnown } from './require-known.ts'

export type BackupOptions = { withoutBlobs?: boolean }

/** Makes a backup of a service that may be at work, in a folder that is not there yet. It is there whole or not at all. Answers what is to be told. */
export async function backup(config: Config, folder: string, options: BackupOptions = {}): Promise<string> {
  const target = path.resolve(folder)
  if (await stat(target).catch(() => undefined))
    throw new BackupError(`${target} is there already. Name a folder that is not.`)
  process.umask(0o077)
  lowerPriority(process)
  await using place = await openPlace(config)
  requireOutside(target, place, config)
  const stop = new AbortController()
  const lost = (error: Error) =>
    stop.abort(new BackupError(`The connection to PostgreSQL was lost: ${error.message}. Nothing was left.`))
  await using holder = await openSession(place.databaseUrl, { onLost: lost })
  await holdCollecting(holder)
  const unfinished = `${target}.unfinished`
  const leave = () => rmSync(unfinished, { recursive: true, force: true })
  const leaveAtOnce = () => (leave(), process.exit(1))
  // What a killed one has left: nobody else makes a backup now.
  leave()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leaveAtOnce)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    const manifest = await fill(unfinished, { place, lost, signal: stop.signal, withBlobs: !options.withoutBlobs })
    // Without this session somebody may have collected what was being copied.
    await holder.query('select 1')
    stop.signal.throwIfAborted()
    await writeManifest(unfinished, manifest)
    await syncFolder(unfinished)
    await rename(unfinished, target)
    await syncFolder(path.dirname(target))
    return describe(target, manifest)
  } catch (error) {
    leave()
    throw explainDisk(stop.signal.aborted ? stop.signal.reason : error, path.dirname(target))
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leaveAtOnce)
  }
}

function requireOutside(target: string, { git }: Place, { blobs }: Config): void {
  const inside = [git, ...(blobs.kind === 'folder' ? [blobs.folder] : [])].find((folder) =>
    `${target}/`.startsWith(`${path.resolve(folder)}/`),
  )
  if (inside) throw new BackupError(`${target} is in ${inside}, which the backup copies. Name a folder elsewhere.`)
}

/** Until the session ends, however it does. Waits for those who are removing blobs, which takes seconds. */
async function holdCollecting(holder: pg.Client): Promise<void> {
  const { rowCount } = await holder.query('select where pg_try_advisory_lock($1)', [backupLock])
  if (!rowCount) throw new BackupError('Another backup of this service is being made. Wait for its end.')
  await holder.query('select pg_advisory_lock($1)', [collectingLock])
}

/** Any number that nothing else locks. */
const backupLock = 727_006

type Fill = { place: Place; lost: (error: Error) => void; signal: AbortSignal; withBlobs: boolean }

async function fill(folder: string, { place, lost, signal, withBlobs }: Fill): Promise<Manifest> {
  const repositories = { git: place.git, target: path.join(folder, 'git'), signal }
  const { paths, ...rows } = await takeSnapshot(folder, { place, lost, signal, repositories })
  const files = new FileListWriter(folder)
  const { removed } = await copyRepositories(paths, { ...repositories, files })
  const { copied, missing } = await copyBlobs(folder, { blobs: withBlobs ? place.blobs : null, files, signal })
  return {
    format: formatVersion,
    product: version,
    ...rows,
    files: await files.end(),
    repositories: paths.length,
    removedRepositories: removed,
    hasBlobs: withBlobs,
    blobs: copied,
    missingBlobs: missing,
  }
}

type TakeSnapshot = Omit<Fill, 'withBlobs'> & { repositories: { git: string; target: string; signal: AbortSignal } }

/** What the database says at one moment, and where branches were then. */
async function takeSnapshot(folder: string, { place, lost, signal, repositories }: TakeSnapshot) {
  await using snapshot = await openSession(place.databaseUrl, { onLost: lost })
  const migrations = await listMigrations(snapshot)
  await requireKnown(migrations)
  const { rows: before } = await snapshot.query<{ now: Date }>('select clock_timestamp() as now')
  await noteRefs(repositories)
  await snapshot.query('begin isolation level repeatable read, read only')
  // The first statement takes the snapshot.
  const { rows: taken } = await snapshot.query<{ now: Date; salt: string | null; digest: string | null }>(
    `select clock_timestamp() as now, encode(k.salt, 'hex') as salt, encode(k.digest, 'hex') as digest
     from (select) nothing left join key_fingerprint k on true`,
  )
  const { now, salt, digest } = taken[0]!
  const paths = await settleAllRefs(snapshot, { ...repositories, since: before[0]!.now })
  const missingRepositories = await countMissing(snapshot, { git: repositories.git, paths })
  const tables = await dumpTables(snapshot, folder, signal)
  const sequences = await listSequences(snapshot)
  await noteBlobs(snapshot, folder)
  await snapshot.query('commit')
  return {
    takenAt: now.toISOString(),
    migrations,
    key: salt && digest ? { salt, digest } : null,
    tables,
    sequences,
    missingRepositories,
    paths,
  }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}

function describe(target: string, manifest: Manifest): string {
  const { tables, repositories, removedRepositories, missingRepositories, hasBlobs, blobs, missingBlobs } = manifest
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const files = hasBlobs ? `${blobs} files` : 'no files (--without-blobs)'
  return [
    ...(missingBlobs ? [`${missingBlobs} files that runs refer to are missing in the store of files.`] : []),
    ...(removedRepositories
      ? [`${removedRepositories} repositories were removed while the backup was made; they have no branches in it.`]
      : []),
    ...(missingRepositories ? [`${missingRepositories} repositories are not in their folder.`] : []),
    `The backup is in ${target}: ${rows} rows, ${repositories} repositories, ${files}. The secret key is not in it; keep that elsewhere.`,
  ].join('\n')
}
