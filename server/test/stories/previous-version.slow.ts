import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openPool } from '#db/pool.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const migrations = 'server/src/db/migrations'
/** What of the previous version must still work beside the new schema. */
const stories = ['fix-bug', 'lose-worker', 'steer-run', 'follow-run'].map(
  (name) => `server/test/stories/${name}.test.ts`,
)

const git = (...words: string[]) =>
  execFileSync('git', ['-C', root, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e9,
  }).trim()

/**
 * How far back to look: of parts that are made side by side one may come before what it needs, and a migration may change as
 * long as nobody has it.
 */
const commitsBackMax = 100

/** The commits without the newest migration, the last one first; none where the history does not go back so far. */
function listPrevious(): string[] {
  try {
    const from = git('status', '--porcelain', '--', migrations)
      ? 'HEAD'
      : `${git('log', '-1', '--format=%H', '--', migrations)}^`
    return git('rev-list', `--max-count=${commitsBackMax}`, from).split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** The last one whose parts are all there and whose migrations are still the same, in a folder of its own. */
async function findPrevious(): Promise<{ commit: string; folder: string } | undefined> {
  for (const commit of listPrevious()) {
    const folder = checkOut(commit)
    if (isWhole(folder) && hasSameMigrations(folder)) return { commit, folder }
    await rm(folder, { recursive: true })
  }
  return undefined
}

/** Whether all that it is made of is there: it comes so far as to find that it was not told what to start. */
function isWhole(folder: string): boolean {
  const { stderr } = spawnSync(process.execPath, ['server/src/main.ts', 'nothing'], { cwd: folder, encoding: 'utf8' })
  return stderr.includes('There is no "nothing" to start.')
}

function hasSameMigrations(folder: string): boolean {
  const read = (place: string, name: string) => readFileSync(path.join(place, migrations, name), 'utf8')
  const names = readdirSync(path.join(folder, migrations))
  return names.every((name) => read(folder, name) === read(root, name))
}

function checkOut(commit: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-previous-'))
  chmodSync(folder, 0o711)
  execFileSync('sh', ['-c', `git -C "$1" archive ${commit} | tar x -C "$2"`, 'sh', root, folder])
  for (const place of ['.', 'server', 'sdk', 'cli']) {
    const installed = path.join(root, place, 'node_modules')
    if (existsSync(installed)) symlinkSync(installed, path.join(folder, place, 'node_modules'))
  }
  return folder
}

/** A database that the new code has migrated, of which the old code knows only its own part. */
async function makeDatabase(known: string[]): Promise<{ url: string; drop: () => Promise<void> }> {
  const template = process.env.RUNWRIGHT_TEST_DATABASE_URL ?? ''
  const name = `previous_${randomBytes(4).toString('hex')}`
  const admin = openPool(new URL('/postgres', template).href, { connectionsMax: 1 })
  await admin.query(`create database ${name} template ${new URL(template).pathname.slice(1)}`)
  const url = new URL(`/${name}`, template).href
  const pool = openPool(url, { connectionsMax: 1 })
  await pool.query('delete from migrations where name <> all($1)', [known])
  await pool.end()
  const drop = async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
  return { url, drop }
}

test('the previous version does its work on the schema of this one', { timeout: 15 * 60_000 }, async (t) => {
  const previous = await findPrevious()
  if (!previous) return t.skip('there is no history of the migrations here, as in a shallow clone')
  const { commit, folder } = previous
  const known = readdirSync(path.join(folder, migrations))
  const added = readdirSync(path.join(root, migrations)).filter((name) => !known.includes(name))
  t.diagnostic(`${commit.slice(0, 12)} beside ${added.join(', ')}`)
  const database = await makeDatabase(known)
  try {
    const child = spawn(
      process.execPath,
      ['bin/test.ts', ...stories.filter((story) => existsSync(path.join(folder, story)))],
      {
        cwd: folder,
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, RUNWRIGHT_TEST_DATABASE_URL: database.url },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
    const exitCode = await new Promise((resolve) => child.on('exit', resolve))
    assert.equal(exitCode, 0, text.slice(-8_000))
    t.diagnostic(/tests \d+/.exec(text)?.[0] ?? '')
  } finally {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
