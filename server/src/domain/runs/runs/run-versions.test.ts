import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#base/limits.ts'
import { openPool } from '#db/pool.ts'
import { makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { RunVersions } from './run-versions.ts'

const db = await testDb()
const crowded = { isAlone: () => false, news: () => 0 }
const idsOf = (run: { organizationId: number; id: number }) => ({ organizationId: run.organizationId, runId: run.id })

test('many readers at once each get the version of their run, and none of a run that is not there', async () => {
  const versions = new RunVersions(db, crowded)
  const runs = [await makeRun(db), await makeRun(db), await makeRun(db)]
  const alone = await Promise.all(runs.map((run) => versions.get(idsOf(run))))
  assert.equal(new Set(alone).size, 3)
  const asked = Array.from({ length: 1_500 }, (_, n) => n % 4)
  const found = await Promise.all(
    asked.map((n) => versions.get(runs[n] ? idsOf(runs[n]) : { ...idsOf(runs[0]!), runId: 999_999 })),
  )
  assert.deepEqual(
    found,
    asked.map((n) => alone[n]),
  )
  const foreign = { organizationId: runs[0]!.organizationId, runId: runs[1]!.id }
  assert.equal(await versions.get(foreign), undefined)
})

test('who asks after a change has been committed sees it, however many others ask', async () => {
  const versions = new RunVersions(db, crowded)
  const run = await makeRun(db)
  const crowd = { stop: false }
  const noise = Promise.all(
    Array.from({ length: 20 }, async () => {
      while (!crowd.stop) await versions.get(idsOf(run))
    }),
  )
  let before = await versions.get(idsOf(run))
  for (let n = 0; n < 30; n++) {
    await db.query('update run_heads set status_detail = $3 where organization_id = $1 and run_id = $2', [
      run.organizationId,
      run.id,
      `step ${n}`,
    ])
    const now = await versions.get(idsOf(run))
    assert.notEqual(now, before)
    before = now
  }
  crowd.stop = true
  await noise
})

test('a process that serves alone remembers until it makes or hears of a change', async () => {
  const surroundings = { alone: true, news: 0 }
  const versions = new RunVersions(db, { isAlone: () => surroundings.alone, news: () => surroundings.news })
  const run = await makeRun(db)
  const change = () => db.query('update run_heads set revision = revision + 1 where run_id = $1', [run.id])
  /** Whether a change is seen, having been read just before. */
  const isSeen = async (between: () => unknown) => {
    const before = await versions.get(idsOf(run))
    await change()
    between()
    return (await versions.get(idsOf(run))) !== before
  }
  assert.ok(await isSeen(() => versions.forget()))
  assert.ok(await isSeen(() => surroundings.news++))
  assert.ok(await isSeen(() => (surroundings.alone = false)))
  surroundings.alone = true
  const begun = performance.now()
  const seen = await isSeen(() => {})
  // A machine that stood still for that long has to look anew.
  if (performance.now() - begun < limits.runVersionMs) assert.equal(seen, false)
  const old = await versions.get(idsOf(run))
  await change()
  while ((await versions.get(idsOf(run))) === old) await sleep(5)
})

test('what was asked before a change and comes after it is not remembered', async () => {
  const versions = new RunVersions(db, { isAlone: () => true, news: () => 0 })
  const run = await makeRun(db)
  const asked = versions.get(idsOf(run))
  versions.forget()
  await asked
  await db.query('update run_heads set revision = revision + 1 where run_id = $1', [run.id])
  assert.notEqual(await versions.get(idsOf(run)), await asked)
})

test('when the database is away, everybody who asked is told', async () => {
  const run = await makeRun(db)
  const away = openPool('postgres://nobody@127.0.0.1:1/nothing')
  const versions = new RunVersions(away, crowded)
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => versions.get(idsOf(run))))
  assert.ok(answers.every(({ status }) => status === 'rejected'))
  await away.end()
})
