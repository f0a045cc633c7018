import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#base/config/config.ts'
import { limits } from '#base/limits.ts'
import { migrate } from '#db/migrate.ts'
import { openPool } from '#db/pool.ts'
import { requireFolder } from '#process/require-folder.ts'
import { BackupError, explainDisk } from './backup-error.ts'
import { findKeyFit } from './find-key-fit.ts'
import { loadTables, requireEmpty } from './load-tables.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { openPlace, type Place } from './open-place.ts'
import { openSession } from './open-session.ts'
import { requireKnown } from './require-known.ts'
import { clearRepositories, restoreFiles } from './restore-files.ts'
import { keyProblem } from './verify.ts'

export type RestoreOptions = { withoutKey?: boolean }

/** Fills a service in which nothing is yet with a backup. What is wrong with the backup leaves it empty; cut off, it can be repeated. Answers what is to be told. */
export async function restore(
  config: Config,
  folder: string,
  { withoutKey = false }: RestoreOptions = {},
): Promise<string> {
  const manifest = await readManifest(folder)
  const backup = await realpath(folder)
  await requireKnown(manifest.migrations)
  if (!withoutKey) requireKey(config, manifest)
  process.umask(0o022)
  await requireFolder(config.dataDir, { command: 'runwright restore' })
  await using place = await openPlace(config)
  await prepareDatabase(place, manifest)
  await clearRepositories(place.git)
  let restored: Awaited<ReturnType<typeof restoreFiles>> | undefined
  try {
    restored = await restoreFiles({ backup, manifest, ...place })
    await fillDatabase(place, { backup, manifest, placeFiles: restored.place })
    await restored.done()
  } catch (error) {
    await clearUnlessRestored(place)
    throw explainDisk(error, config.dataDir)
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return `Restored as of ${manifest.takenAt}: ${rows} rows, ${manifest.repositories} repositories, ${manifest.blobs} files. Start the service: it brings the database to its newest schema and takes over the runs that were at work.`
}

/** Where the connection was lost at the very end, all of it may be there. */
async function clearUnlessRestored({ databaseUrl, git }: Place): Promise<void> {
  try {
    await using session = await openSession(databaseUrl)
    await requireEmpty(session)
    await clearRepositories(git)
  } catch {
    // The next restore does it.
  }
}

function requireKey(config: Config, manifest: Manifest): void {
  const fit = findKeyFit(config, manifest)
  if (fit === 'fits') return
  const problem =
    fit === 'other'
      ? keyProblem
      : `There is no secret key here. Give the one of the service that was backed up: RUNWRIGHT_SECRET_KEY, or the file ${path.join(config.dataDir, 'secret-key')}.`
  throw new BackupError(
    `${problem} If it is lost, "--without-key" restores all else: then "runwright forget-secrets" removes what it has sealed, and tokens have to be made anew.`,
  )
}

/** The tables of the backup, in a database that has none or is empty. */
async function prepareDatabase({ databaseUrl }: Place, { migrations }: Manifest): Promise<void> {
  await using session = await openSession(databaseUrl)
  await requireEmpty(session)
  const pool = openPool(databaseUrl, { connectionsMax: 1, statementMs: limits.databaseStartMs })
  try {
    const last = migrations.at(-1)?.name
    await migrate(pool, last === undefined ? {} : { last })
  } finally {
    await pool.end()
  }
}

type FillDatabase = { backup: string; manifest: Manifest; placeFiles: () => Promise<void> }

/** The moment at which all of it is restored is that at which the transaction ends. */
async function fillDatabase({ databaseUrl }: Place, { backup, manifest, placeFiles }: FillDatabase): Promise<void> {
  let lost: Error | undefined
  await using session = await openSession(databaseUrl, { onLost: (error) => (lost = error) })
  try {
    await session.query('begin')
    await loadTables(session, backup, manifest)
    await placeFiles()
    await session.query('commit')
  } catch (error) {
    if (lost)
      throw new BackupError(`The connection to PostgreSQL was lost: ${lost.message}. Nothing was restored.`, {
        cause: error,
      })
    throw error
  }
  await session.query('analyze')
}
