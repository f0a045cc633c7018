import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one, openPool } from '#db/pool.ts'
import { drainWorker } from '#domain/runs/workers/drain-worker.ts'
import { sweepWorkers } from '#domain/runs/workers/sweep-workers.ts'
import { makeOrganization } from '#test/make.ts'
import { makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { claimRun, findNextRun, type Claim } from './claim-run.ts'
import { getRun } from '#domain/runs/get-run.ts'

const db = await testDb()
const mask = openRedactor([]).mask
const register = (options: { onLost?: () => void; labels?: string[] } = {}) => registerTestWorker(db.url, options)
const sweep = () => sweepWorkers(db, { mask, onFault: ({ error }) => assert.fail(String(error)) })

// The queue is one for all organizations, so each test begins with an empty one.
beforeEach(async () => {
  await db.query(
    `update run_heads set worker_id = null, lease_id = null, status = 'cancelled' where status in ('in_progress', 'queued')`,
  )
  await db.query('update run_slots set running = 0')
})

test('organizations take turns, each within its limit, however many workers ask at once', async () => {
  const [big, small] = [await makeOrganization(db), await makeOrganization(db)]
  await db.query('update run_slots set max_running = 3 where organization_id = any($1)', [[big.id, small.id]])
  for (let n = 0; n < 8; n++) await makeRun(db, { organizationId: big.id, userId: big.adminId })
  for (let n = 0; n < 2; n++) await makeRun(db, { organizationId: small.id, userId: small.adminId })
  await using session = await register()
  const claims: Claim[] = []
  for (let round = 0; round < 12; round++) {
    // A claimer that finds every slot row locked comes again, as a worker does.
    claims.push(
      ...(await Promise.all(Array.from({ length: 4 }, () => claimRun(db, session)))).filter(
        (claim) => claim !== undefined,
      ),
    )
  }
  const of = (organization: { id: number }) => claims.filter(({ organizationId }) => organizationId === organization.id)
  assert.deepEqual([of(big).length, of(small).length], [3, 2])
  assert.ok(
    claims.slice(0, 4).some(({ organizationId }) => organizationId === small.id),
    'the small one waits for nobody',
  )
  assert.equal(new Set(claims.map(({ leaseId }) => leaseId)).size, claims.length)
})

test('a run whose worker crashed is queued again at once, ahead of others', async () => {
  const run = await makeRun(db)
  const session = await register()
  assert.equal((await claimRun(db, session))?.runId, run.id)
  assert.equal(await sweep(), 0)
  await session[Symbol.asyncDispose]()
  assert.equal(await sweep(), 1)
  assert.equal((await getRun(db, { organizationId: run.organizationId, runId: run.id })).status, 'queued')
  await using other = await register()
  assert.equal((await claimRun(db, other))?.claims, 2)
})

test('a worker whose lease has ended is dead, though its session lives', async () => {
  const run = await makeRun(db)
  await using frozen = await register()
  assert.equal((await claimRun(db, frozen))?.runId, run.id)
  await db.query(`update workers set alive_until = now() - interval '1 second' where id = $1`, [frozen.workerId])
  assert.equal(await frozen.renew(), false)
  assert.equal(await sweep(), 1)
})

test('a worker hears at once that its session was cut', async () => {
  const lost = Promise.withResolvers<void>()
  await using session = await register({ onLost: lost.resolve })
  const admin = openPool(db.url, { connectionsMax: 1 })
  await one(
    admin,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'runwright worker' and datname = current_database()`,
  )
  await lost.promise
  await admin.end()
  assert.ok(session.workerId)
})

test('neither one run that cannot be released nor one that somebody holds keeps 98 others waiting', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await db.query('update run_slots set max_running = 100 where organization_id = $1', [organizationId])
  const poisoned = await makeRun(db)
  const runs = []
  for (let n = 0; n < 99; n++) runs.push(await makeRun(db, { organizationId, userId }))
  const session = await register()
  for (let n = 0; n < 100; n++) assert.ok(await claimRun(db, session))
  await session[Symbol.asyncDispose]()
  await db.query('update run_slots set running = 0 where organization_id = $1', [poisoned.organizationId])
  const locked = runs[3]!.id
  const holder = await db.connect()
  await holder.query('begin')
  // Held for as long as the others take, however busy the machine is.
  await holder.query('set local idle_in_transaction_session_timeout = 0')
  await holder.query('select from run_heads where run_id = $1 for update', [locked])
  const faults: number[] = []
  const begun = performance.now()
  const released = await sweepWorkers(db, { mask, onFault: ({ runId }) => faults.push(runId) })
  assert.ok(performance.now() - begun < 10_000)
  await holder.query('rollback')
  holder.release()
  assert.deepEqual([released, new Set(faults)], [98, new Set([poisoned.id, locked])])
})

test('a run that cannot be claimed can be found, and left out', async () => {
  const [poisoned, next] = [await makeRun(db), await makeRun(db)]
  await using session = await register()
  await db.query('update run_slots set served_at = now() where organization_id = $1', [next.organizationId])
  assert.equal((await findNextRun(db, session))?.runId, poisoned.id)
  assert.equal((await claimRun(db, { ...session, except: [poisoned.id] }))?.runId, next.id)
})

test('a worker takes no run that asks for a label which it has not', async () => {
  const run = await makeRun(db)
  await db.query(`update run_heads set labels = '{gpu,linux}' where run_id = $1`, [run.id])
  await using plain = await register()
  await using half = await register({ labels: ['gpu'] })
  await using whole = await register({ labels: ['fast', 'gpu', 'linux'] })
  for (const session of [plain, half]) assert.equal(await claimRun(db, session), undefined)
  assert.equal((await claimRun(db, whole))?.runId, run.id)
})

test('a worker that drains, or whose lease has ended, takes no run', async () => {
  await makeRun(db)
  await using draining = await register()
  await drainWorker(db, draining)
  await using late = await register()
  await db.query(`update workers set alive_until = now() - interval '1 second' where id = $1`, [late.workerId])
  for (const session of [draining, late]) assert.equal(await claimRun(db, session), undefined)
})

test('a restart of the database is not counted against the runs that were at work', async () => {
  const run = await makeRun(db)
  const session = await register()
  assert.ok(await claimRun(db, session))
  await session[Symbol.asyncDispose]()
  await db.query(`update workers set started_at = pg_postmaster_start_time() - interval '1 second' where id = $1`, [
    session.workerId,
  ])
  await sweep()
  await using other = await register()
  const claim = await claimRun(db, other)
  assert.deepEqual([claim?.runId, claim?.claims], [run.id, 1])
})

test('of runs that were lost twice a worker takes one at a time, and others beside it', async () => {
  // Only losses of this test count.
  await sweep()
  await db.query('delete from workers')
  await db.query('delete from lost_workers')
  const [deadly, beside] = [await makeRun(db), await makeRun(db)]
  const loseAll = async () => {
    const session = await register()
    const taken: number[] = []
    for (let claim = await claimRun(db, session); claim; claim = await claimRun(db, session)) taken.push(claim.runId)
    await session[Symbol.asyncDispose]()
    await sweep()
    return taken.toSorted((one, other) => one - other)
  }
  assert.deepEqual(await loseAll(), [deadly.id, beside.id])
  assert.deepEqual(await loseAll(), [deadly.id, beside.id])
  const fresh = await makeRun(db)
  assert.deepEqual(await loseAll(), [deadly.id, fresh.id])
  const statusOf = async ({ organizationId, id }: { organizationId: number; id: number }) =>
    (await getRun(db, { organizationId, runId: id })).status
  assert.deepEqual([await statusOf(deadly), await statusOf(beside)], ['failed', 'queued'])
})
