import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { one } from '#db/pool.ts'
import { listAskers } from '#domain/runs/messages/list-askers.ts'
import { startChildRun } from '#domain/runs/runs/start-child-run.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const child = { prompt: 'Help', title: null, repository: null }

test('a run starts so many others and no more, for a person who still may, and the same once for the same step', async () => {
  const { holder } = await makeHeldRun(db)
  const start = (key: string) => startChildRun(db, { holder, key, ...child })
  const ids = await Promise.all(Array.from({ length: limits.childRunsMax }, (_, index) => start(`t1-1.${index}`)))
  assert.equal(new Set(ids).size, limits.childRunsMax)
  const again = await Promise.all([start('t1-1.3'), start('t1-1.3')])
  assert.deepEqual(again, [ids[3], ids[3]])
  await assert.rejects(start('t1-2.1'), { code: 'conflict' })
})

test('nobody who has left the organization has runs started', async () => {
  const { holder } = await makeHeldRun(db)
  const { userId } = await one<{ userId: number }>(db, 'select user_id from runs where id = $1', [holder.runId])
  await db.query('delete from memberships where user_id = $1', [userId])
  await assert.rejects(startChildRun(db, { holder, key: 't1-1.1', ...child }), { code: 'forbidden' })
})

test("another organization's repository is not there", async () => {
  const { holder } = await makeHeldRun(db)
  const other = await makeHeldRun(db)
  await db.query(
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'theirs', 'theirs', 'main')`,
    [other.holder.organizationId],
  )
  const start = startChildRun(db, { holder, key: 't1-1.1', ...child, repository: 'theirs' })
  await assert.rejects(start, { code: 'repo_not_found' })
})

test('who is no member reaches no other repository through runs that agents start', async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId, runId } = holder
  await db.query(
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'private', 'private', 'main')`,
    [organizationId],
  )
  const start = (key: string, repository: string | null) => startChildRun(db, { holder, key, ...child, repository })
  const first = await start('t1-1.1', 'private')
  assert.deepEqual(await listAskers(db, { organizationId, runId: first }), [])
  const asker = { id: '7', login: 'mallory' }
  await db.query('update messages set asker = $3 where organization_id = $1 and run_id = $2', [
    organizationId,
    runId,
    JSON.stringify(asker),
  ])
  await assert.rejects(start('t1-1.2', 'private'), { code: 'forbidden', message: /its own repository only/ })
  const own = await start('t1-1.3', null)
  assert.deepEqual(await listAskers(db, { organizationId, runId: own }), [asker])
})
