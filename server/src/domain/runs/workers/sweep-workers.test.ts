import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one } from '#db/pool.ts'
import { claimRun } from '#domain/runs/runs/claim-run.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { drainWorker } from './drain-worker.ts'
import { needsSweep } from './needs-sweep.ts'
import { releaseStrayRuns, sweepWorkers } from './sweep-workers.ts'

const db = await testDb()
const mask = openRedactor([]).mask
const sweep = () => sweepWorkers(db, { mask, onFault: ({ error }) => assert.fail(String(error)) })
const register = () => registerTestWorker(db.url)
const statusOf = async (run: { id: number }) =>
  (await one<{ status: string }>(db, 'select status from run_heads where run_id = $1', [run.id])).status

/** Only losses of one test count, and nothing else is queued or at work. */
async function forgetLosses(): Promise<void> {
  await db.query(
    `update run_heads set worker_id = null, lease_id = null, status = 'cancelled' where status in ('in_progress', 'queued')`,
  )
  await db.query('update run_slots set running = 0')
  await db.query('delete from workers')
  await db.query('delete from lost_workers')
}

/** A worker takes all that is queued and is lost; answers what it had taken. */
async function loseWorker(): Promise<number[]> {
  const taken: number[] = []
  const worker = await register()
  for (let claim = await claimRun(db, worker); claim; claim = await claimRun(db, worker)) taken.push(claim.runId)
  await worker[Symbol.asyncDispose]()
  await sweep()
  return taken
}

test('a run that every lost worker held is given up after the third, with its neighbours as long as they do nothing', async () => {
  await forgetLosses()
  const run = await makeRun(db)
  for (let loss = 1; loss <= limits.claimsWithoutProgressMax; loss++) {
    assert.equal(await statusOf(run), 'queued', `before loss ${loss}`)
    assert.deepEqual(await loseWorker(), [run.id])
  }
  assert.equal(await statusOf(run), 'failed')
})

test('a run that was only beside what ends workers is tried more often, but not for ever', async () => {
  await forgetLosses()
  const run = await makeRun(db)
  const bystander = await register()
  await bystander[Symbol.asyncDispose]()
  for (let loss = 1; loss <= limits.claimsWithoutProgressAmongLossesMax; loss++) {
    assert.equal(await statusOf(run), 'queued', `before loss ${loss}`)
    await loseWorker()
  }
  assert.equal(await statusOf(run), 'failed')
})

test('a restart of the database speaks for a run that lost workers, also where it was the run that they held', async () => {
  await forgetLosses()
  const run = await makeRun(db)
  const worker = await register()
  assert.equal((await claimRun(db, worker))?.runId, run.id)
  await db.query(`update workers set started_at = pg_postmaster_start_time() - interval '1 second' where id = $1`, [
    worker.workerId,
  ])
  await worker[Symbol.asyncDispose]()
  await sweep()
  for (let loss = 1; loss <= limits.claimsWithoutProgressAmongLossesMax; loss++) {
    assert.equal(await statusOf(run), 'queued', `before loss ${loss}`)
    await loseWorker()
  }
  assert.equal(await statusOf(run), 'failed')
})

test('neither a worker that was told to end nor one that was lost long ago speaks for a run', async () => {
  await forgetLosses()
  const long = limits.lossesRememberedMs + 1
  await db.query(
    `insert into lost_workers (worker_id, lost_at, run_ids) values (-1, now() - $1 * interval '1 millisecond', '{}')`,
    [long],
  )
  const run = await makeRun(db)
  const drained = await register()
  await drainWorker(db, drained)
  await drained[Symbol.asyncDispose]()
  for (let loss = 1; loss <= limits.claimsWithoutProgressMax; loss++) await loseWorker()
  assert.equal(await statusOf(run), 'failed')
  const { count } = await one<{ count: number }>(
    db,
    'select count(*)::int as count from lost_workers where worker_id = -1',
  )
  assert.equal(count, 0, 'what is long ago is forgotten')
})

test('a look finds nothing to sweep while all live, and each loss once', async () => {
  await forgetLosses()
  const look = async () => (await needsSweep(db, { sinceMs: 1_000 })).needsSweep
  const run = await makeRun(db)
  const worker = await register()
  await using bystander = await register()
  assert.equal((await claimRun(db, worker))?.runId, run.id)
  assert.equal(await look(), false)
  await worker[Symbol.asyncDispose]()
  assert.equal(await look(), true)
  assert.equal(await sweep(), 1)
  assert.equal(await look(), false, 'its row is still there')
  assert.equal((await claimRun(db, bystander))?.claims, 2)
})

test('a run that a worker claimed in its last moment is found after its end was noticed', async () => {
  await forgetLosses()
  const run = await makeRun(db)
  const worker = await register()
  const late = await db.connect()
  try {
    await late.query('begin')
    assert.equal((await claimRun(late, worker))?.runId, run.id)
    await worker[Symbol.asyncDispose]()
    assert.equal(await sweep(), 0, 'nobody sees the claim yet')
    await late.query('commit')
  } finally {
    late.release()
  }
  assert.equal((await needsSweep(db, { sinceMs: 0 })).needsSweep, true)
  assert.equal(await sweep(), 1)
  assert.equal(await statusOf(run), 'queued')
})

test('a run whose worker is not known at all is queued again', async () => {
  await forgetLosses()
  const { run } = await makeHeldRun(db)
  await db.query('delete from workers')
  assert.equal(await releaseStrayRuns(db, { mask, onFault: ({ error }) => assert.fail(String(error)) }), 1)
  assert.equal(await statusOf(run), 'queued')
})
