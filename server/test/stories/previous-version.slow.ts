import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { openPool } from '#db/pool.ts'
import { findPrevious, migrations } from '#test/find-previous.ts'
import { makeDatabase } from '#test/test-db.ts'

const root = path.resolve(import.meta.dirname, '../../..')
/** What of the previous version must still work beside the new schema. */
const stories = ['fix-bug', 'lose-worker', 'steer-run', 'follow-run'].map(
  (name) => `server/test/stories/${name}.test.ts`,
)

/** A database that the new code has migrated, of which the old code knows only its own part. */
async function makeDatabaseOf(known: string[]): Promise<{ url: string; drop: () => Promise<void> }> {
  const database = await makeDatabase()
  const pool = openPool(database.url, { connectionsMax: 1 })
  await pool.query('delete from migrations where name <> all($1)', [known])
  await pool.end()
  return database
}

test('the previous version does its work on the schema of this one', { timeout: 15 * 60_000 }, async (t) => {
  const previous = await findPrevious()
  if (!previous) return t.skip('there is no history of the migrations here, as in a shallow clone')
  const { commit, folder } = previous
  const known = readdirSync(path.join(folder, migrations))
  const added = readdirSync(path.join(root, migrations)).filter((name) => !known.includes(name))
  t.diagnostic(`${commit.slice(0, 12)} beside ${added.join(', ')}`)
  const database = await makeDatabaseOf(known)
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
