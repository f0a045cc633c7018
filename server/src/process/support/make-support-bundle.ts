import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { openApp } from '#app/app.ts'
import { secretsOf } from '#app/secrets-of.ts'
import type { Config } from '#base/config/config.ts'
import type { Environment } from '#base/config/open-reader.ts'
import { openRedactor, type Mask } from '#base/redaction/redactor.ts'
import { version } from '#base/version.ts'
import { packItems, type ArchiveItem } from '#http/exports/pack-items.ts'
import { examine } from '#process/examine.ts'
import { askMetrics, askService } from './ask-service.ts'
import { countWork } from './count-work.ts'
import { describeDatabase } from './describe-database.ts'
import { describeSettings } from './describe-settings.ts'
import { listMigrations } from './list-migrations.ts'
import { measureFolders } from './measure-folders.ts'
import { openDatabase } from './open-database.ts'
import { readRedLines } from './read-red-lines.ts'

/** How long one part may take, and how long the sizes of folders are added up. */
const partMs = 60_000
const foldersMs = 20_000

export type MakeSupportBundle = {
  env: Environment
  /** Where it is written; a file of this name must not be there. */
  output: string
  /** A file to which the log of the service is written. */
  log?: string | undefined
}

/**
 * Gathers in one `.tar.gz` what somebody who helps needs to know, and nothing of what organizations do. What cannot be found out says why in
 * its file. Changes nothing in the service.
 */
export async function makeSupportBundle(config: Config, { env, output, log }: MakeSupportBundle): Promise<string> {
  const target = path.resolve(output)
  await using database = await openDatabase(config)
  const { mask } = openRedactor(secretsOf(config, database.url))
  const parts = partsOf(config, { env, log, pool: () => database.pool() })
  const failures: Error[] = []
  const archive = packItems({ items: listItems(parts, mask), at: new Date(), onError: (error) => failures.push(error) })
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600 })
  let isOurs = false
  file.once('open', () => (isOurs = true))
  try {
    await pipeline(archive, file)
  } catch (error) {
    if (isOurs) await rm(target, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Error(`${target} is there already. Name another file with --output.`, { cause: error })
    throw failures[0] ?? error
  }
  return `${target} has what somebody who helps needs to know. Look into it before you send it: it names this machine, its folders and addresses.`
}

type Part = () => Promise<unknown>
type PartsOf = { env: Environment; log: string | undefined; pool: () => pg.Pool }

function partsOf(config: Config, { env, log, pool }: PartsOf): Record<string, Part> {
  const folders = ['postgres', 'git', 'blobs', 'snapshots', 'sandboxes', 'temporary'].map((name) =>
    path.join(config.dataDir, name),
  )
  const elsewhere = [config.gitDir, config.blobs.kind === 'folder' ? config.blobs.folder : null]
  return {
    'version.json': async () => describeProcess(),
    'settings.json': async () => describeSettings(env),
    'health.json': () => askService(config),
    'metrics.json': () => askMetrics(config),
    'migrations.json': () => listMigrations(pool()),
    'database.json': () => describeDatabase(pool()),
    'work.json': () => countWork(pool()),
    'doctor.json': () => examineIfCurrent(config, pool()),
    'folders.json': () =>
      measureFolders([...new Set([...folders, ...elsewhere.filter((folder) => folder !== null)])], { ms: foldersMs }),
    'errors.jsonl': async () =>
      log === undefined
        ? { problem: 'No log was named. Give its file with --log, if it is written to one.' }
        : readRedLines(log),
  }
}

/** Opening the service's own parts brings the database to the newest schema: only where it is there already. */
async function examineIfCurrent(config: Config, pool: pg.Pool) {
  const { pending } = await listMigrations(pool)
  if (pending.length)
    return {
      problem: `Not examined: ${pending.length} migrations of this version have not run, and looking would run them.`,
    }
  await using app = await openApp({ ...config, gitUrl: null }, { role: 'support-bundle' })
  return await examine(app)
}

const describeProcess = () => ({
  runwright: version,
  node: process.version,
  platform: process.platform,
  arch: process.arch,
  system: `${os.type()} ${os.release()}`,
  processors: os.availableParallelism(),
  memoryBytes: os.totalmem(),
  freeMemoryBytes: os.freemem(),
  loadAverage: os.loadavg(),
  isRoot: process.getuid?.() === 0,
  upSeconds: os.uptime(),
  at: new Date().toISOString(),
})

/** One part after the other, each masked as a whole. */
async function* listItems(parts: Record<string, Part>, mask: Mask): AsyncGenerator<ArchiveItem> {
  for (const [name, part] of Object.entries(parts)) {
    const found = await within(Promise.try(part)).catch((error: Error) => ({ problem: error.message }))
    const text = typeof found === 'string' ? found : `${JSON.stringify(found, null, 2)}\n`
    const content = Buffer.from(mask(text))
    yield { name: `runwright-support/${name}`, bytes: content.length, content }
  }
}

function within<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`It took longer than ${partMs / 1_000} s.`)), partMs)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
