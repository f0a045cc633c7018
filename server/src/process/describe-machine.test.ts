import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { readConfig } from '#base/config/config.ts'
import { getDatabaseFacts, type DatabaseFacts } from '#db/get-database-facts.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'
import { describeClock, describeDatabase, describeGit, describeMachine } from './describe-machine.ts'

const db = await testDb()
const dataDir = await testFolder()
const config = readConfig({ RUNWRIGHT_DATA_DIR: dataDir, DATABASE_URL: db.url }, { root: dataDir })
const app = { config, pool: db, temporaryFolder: dataDir }

test('a machine on which all is well has a line for each thing, and no problem', async () => {
  const { lines, hasProblems } = await describeMachine(app)
  const text = lines.join('\n')
  assert.match(
    text,
    /^Database: PostgreSQL \d+\.\d+, \d+ of \d+ connections open, \d+ migrations up to \d{4}-\S+\.sql$/m,
  )
  assert.match(text, /^Clock: agrees with the database's$/m)
  assert.match(text, /^Git: 2\.\d+/m)
  assert.match(text, /^Disk: \d+\.\d GiB free in \//m)
  assert.equal(hasProblems, false, text)
})

test('a clock that is off is a problem, and says in which direction', async () => {
  const off = (ms: number) => getDatabaseFacts(db, { now: () => new Date(systemClock.now().getTime() + ms) })
  const ahead = describeClock(await off(60_000))
  assert.match(ahead.line, /^Clock: (?:59|60)\.\d s ahead of the database's$/)
  assert.equal(ahead.problems.length, 1)
  assert.match(describeClock(await off(-60_000)).line, /behind the database's$/)
  const slow: DatabaseFacts = { ...(await off(0)), aheadMs: 2_500, unsureMs: 1_000 }
  assert.deepEqual(describeClock(slow).problems, [], 'a slow answer proves nothing')
})

test('a PostgreSQL that is too old or almost full is a problem', async () => {
  const facts = await getDatabaseFacts(db, systemClock)
  const { problems } = describeDatabase({ ...facts, versionNumber: 140_011, connections: 90, connectionsMax: 97 })
  assert.equal(problems.length, 2)
  assert.match(problems[0] ?? '', /PostgreSQL 15 or newer/)
  assert.match(problems[1] ?? '', /max_connections/)
})

test('a Git that is too old or not there is a problem', () => {
  assert.deepEqual(describeGit('2.39.5').problems, [])
  assert.deepEqual(describeGit('3.0.0').problems, [])
  assert.match(describeGit('2.37.9').problems.join(), /2\.38 or newer/)
  assert.match(describeGit(null).problems.join(), /Install Git/)
})

test('a disk that cannot be used is a problem', async () => {
  const broken = path.join(dataDir, 'broken')
  mkdirSync(broken)
  writeFileSync(path.join(broken, 'sandboxes'), '')
  const { lines, hasProblems } = await describeMachine({ ...app, config: { ...config, dataDir: broken } })
  assert.equal(hasProblems, true)
  assert.match(lines.join('\n'), /problem: \S+sandboxes is no folder/)
})
