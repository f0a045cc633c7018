import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { limits } from '#base/limits.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { findProblems } from './find-problems.ts'
import { readOverview } from './read-overview.ts'
import { watchOverview } from './watch-overview.ts'

const db = await testDb()
const longAgo = `now() - interval '1 hour'`

/** An overview is of everything, so each test begins with nothing that has not ended. */
beforeEach(async () => {
  await db.query(`update run_heads set status = 'in_progress' where status in ('queued', 'waiting_for_user', 'paused')`)
  await db.query(
    `update run_heads set status = 'cancelled', worker_id = null, lease_id = null where status = 'in_progress'`,
  )
  await db.query('update run_slots set running = 0')
  await db.query('delete from workers')
})

async function addWorker({ slots = 1, draining = false } = {}): Promise<void> {
  await db.query(
    `insert into workers (name, slots, version, alive_until, draining) values ('test', $1, '0', now() + interval '1 hour', $2)`,
    [slots, draining],
  )
}

/** As if nothing had been claimed for long. */
const age = async () => {
  await db.query(`update run_heads set queued_at = ${longAgo}, not_before = ${longAgo} where status = 'queued'`)
  await db.query(`update run_slots set served_at = ${longAgo}`)
}

/** Two looks after each other, without waiting for the first to grow old. */
async function lookTwice(): Promise<string[]> {
  let now = 0
  const look = watchOverview(db, () => (now += limits.overviewKeptMs))
  await look()
  return findProblems(await look()).problems
}

test('counts what has not ended by status, and says how long the oldest has waited', async () => {
  await makeRun(db)
  await makeHeldRun(db)
  const ended = await makeRun(db)
  await db.query(`update run_heads set queued_at = now() - interval '90 seconds' where status = 'queued'`)
  await cancelRun(db, { ...ended, runId: ended.id, userId: 1 })
  const seen = await readOverview(db)
  assert.partialDeepStrictEqual(seen, {
    queued: 1,
    inProgress: 1,
    waitingForUser: 0,
    paused: 0,
    orphaned: 0,
    workers: 1,
    freeSlots: 0,
  })
  assert.ok(seen.oldestQueuedSeconds >= 90 && seen.oldestQueuedSeconds < 120)
})

test('runs that nobody takes though slots are free are a problem', async () => {
  await makeRun(db)
  await addWorker()
  await age()
  assert.deepEqual(await lookTwice(), ['1 run is queued for more than 10 s, though 1 slot is free.'])
})

test('runs that ask for labels which no free worker has are not for it to take', async () => {
  const run = await makeRun(db)
  await addWorker()
  await age()
  await db.query(`update run_heads set labels = '{gpu}' where run_id = $1`, [run.id])
  assert.deepEqual(await lookTwice(), [])
  await db.query(`update workers set labels = '{gpu,large}'`)
  assert.deepEqual(await lookTwice(), ['1 run is queued for more than 10 s, though 1 slot is free.'])
})

test('one look alone may have seen the moment before a claim, so it is not told of yet', async () => {
  await makeRun(db)
  await addWorker()
  await age()
  assert.deepEqual(findProblems(await watchOverview(db)()).problems, [])
})

test('runs that wait because all slots are taken are no problem', async () => {
  const { run } = await makeHeldRun(db)
  await makeRun(db)
  await age()
  assert.deepEqual(await lookTwice(), [], 'the only worker is busy')
  await makeRun(db, { organizationId: run.organizationId, userId: run.userId ?? 1 })
  await addWorker()
  await db.query(`update run_slots set running = max_running`)
  await age()
  assert.deepEqual(await lookTwice(), [], 'their organizations have no slot free')
})

test('runs that were queued just now, or while others are being taken, are no problem', async () => {
  await addWorker({ slots: 4 })
  await makeRun(db)
  await db.query(`update run_slots set served_at = ${longAgo}`)
  assert.deepEqual(await lookTwice(), [])
  await age()
  await db.query(
    'update run_slots set served_at = now() where organization_id = (select min(organization_id) from run_slots)',
  )
  assert.deepEqual(await lookTwice(), [])
})

test('runs whose worker is gone, and that nobody has queued again, are a problem', async () => {
  const { workerId } = await makeHeldRun(db)
  assert.deepEqual(await lookTwice(), [])
  await db.query(`update workers set alive_until = now() - interval '9 seconds' where id = $1`, [workerId])
  assert.deepEqual(await lookTwice(), [], 'there is still time to take over')
  await db.query(`update workers set alive_until = now() - interval '11 seconds' where id = $1`, [workerId])
  const [problem, ...others] = await lookTwice()
  assert.match(
    problem ?? '',
    /^1 run is held by a worker whose lease ended more than 10 s ago; nobody has taken over\.$/,
  )
  assert.deepEqual(others, [])
})

test('runs that wait while no worker is alive are a warning: the API itself works', async () => {
  await makeRun(db)
  await addWorker({ draining: true })
  await age()
  const { problems, warnings } = findProblems(await readOverview(db))
  assert.deepEqual(problems, [])
  assert.deepEqual(warnings, ['1 run is queued, and no worker is alive to take it.'])
})

test('a database that has gone silent is not waited for', async () => {
  const client = await db.connect()
  await client.query('begin')
  await client.query('lock table workers')
  await assert.rejects(watchOverview(db)(), /did not answer in time/)
  await client.query('rollback')
  client.release()
  assert.equal((await watchOverview(db)()).workers, 0)
})
