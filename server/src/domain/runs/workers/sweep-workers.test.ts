import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one } from '#db/pool.ts'
import { claimRun } from '#domain/runs/runs/claim-run.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
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

test('of runs that are lost together, each becomes what it would have become alone', async () => {
  await forgetLosses()
  const changes: ((runId: number) => Promise<unknown>)[] = [
    async () => {},
    (runId) => db.query('update run_heads set priority = 5, claims = 2 where run_id = $1', [runId]),
    (runId) => db.query('update run_heads set claims = 12 where run_id = $1', [runId]),
    (runId) => db.query(`update run_heads set wanted = 'pause' where run_id = $1`, [runId]),
    (runId) => db.query(`update run_heads set wanted = 'cancel' where run_id = $1`, [runId]),
    (runId) =>
      db.query(
        `insert into questions (organization_id, run_id, turn, n, text)
         select organization_id, run_id, turn, 1, 'Which one?' from run_heads where run_id = $1`,
        [runId],
      ),
    (runId) =>
      db.query('update workers set draining = true where id = (select worker_id from run_heads where run_id = $1)', [
        runId,
      ]),
  ]
  const make = async () => {
    const held = await Promise.all(changes.map(() => makeHeldRun(db)))
    for (const [n, { run }] of held.entries()) await changes[n]!(run.id)
    return held
  }
  const [together, alone] = [await make(), await make()]
  for (const { holder } of alone) await releaseRun(db, { ...holder, isLost: true, mask })
  await db.query(`update workers set alive_until = now() - interval '1 second' where id = any($1)`, [
    together.map(({ workerId }) => workerId),
  ])
  assert.equal(await sweep(), changes.length)
  const states = async (held: typeof alone) =>
    Promise.all(
      held.map(({ run }) =>
        one(
          db,
          `select h.status, h.status_detail, h.claims, h.priority, h.wanted, h.worker_id, h.lease_id, h.held_at is null as held, s.running
           from run_heads h join run_slots s using (organization_id) where h.run_id = $1`,
          [run.id],
        ),
      ),
    )
  assert.deepEqual(await states(together), await states(alone))
})

test('a thousand runs of one lost worker are queued again at once, and no slot is counted twice', async () => {
  await forgetLosses()
  const worker = await registerTestWorker(db.url, { slots: 1_000 })
  const { run } = await makeHeldRun(db)
  await db.query(
    `with made as (
       insert into runs (organization_id, user_id, source_type, agent_type, prompt, timeout_minutes, create_pull_request)
       select organization_id, user_id, 'API', 'scripted', 'Do nothing', 60, false from runs, generate_series(2, 1000) where id = $1
       returning organization_id, id)
     insert into run_heads (organization_id, run_id, status, worker_id, lease_id, claims)
     select organization_id, id, 'in_progress', $2, gen_random_uuid(), 1 from made`,
    [run.id, worker.workerId],
  )
  await db.query('update run_heads set worker_id = $2 where run_id = $1', [run.id, worker.workerId])
  await db.query('update run_slots set running = 1000 where organization_id = $1', [run.organizationId])
  await worker[Symbol.asyncDispose]()
  assert.equal(await sweep(), 1_000)
  const { queued, running } = await one<{ queued: number; running: number }>(
    db,
    `select (select count(*)::int from run_heads where organization_id = $1 and status = 'queued') as queued, running
     from run_slots where organization_id = $1`,
    [run.organizationId],
  )
  assert.deepEqual({ queued, running }, { queued: 1_000, running: 0 })
  assert.equal(await sweep(), 0)
})

test('an organization whose row somebody holds keeps the runs of others waiting for no longer than for its own', async () => {
  await forgetLosses()
  const [held, other] = [await makeHeldRun(db), await makeHeldRun(db)]
  await db.query(`update workers set alive_until = now() - interval '1 second'`)
  const holder = await db.connect()
  await holder.query('begin')
  await holder.query('select from run_slots where organization_id = $1 for update', [held.run.organizationId])
  const faults: number[] = []
  const begun = performance.now()
  const released = await sweepWorkers(db, { mask, onFault: ({ runId }) => faults.push(runId) })
  assert.ok(performance.now() - begun < 10_000)
  await holder.query('rollback')
  holder.release()
  assert.deepEqual([released, faults], [1, [held.run.id]])
  assert.equal(await statusOf(other.run), 'queued')
  assert.equal(await sweep(), 1)
})

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
  const lookAtAll = () => needsSweep(db, { sinceMs: 1_000 })
  const look = async () => (await lookAtAll()).needsSweep
  const run = await makeRun(db)
  assert.equal((await lookAtAll()).isQuiet, false, 'one is queued')
  const worker = await register()
  await using bystander = await register()
  assert.equal((await claimRun(db, worker))?.runId, run.id)
  assert.equal(await look(), false)
  assert.equal((await lookAtAll()).isQuiet, false, 'one is held')
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
