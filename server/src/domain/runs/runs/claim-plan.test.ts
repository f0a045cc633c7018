import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one } from '#db/pool.ts'
import { makeDeepQueue } from '#test/make-deep-queue.ts'
import { makeOrganization } from '#test/make.ts'
import { makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { openExplainer } from '#test/scans.ts'
import { testDb } from '#test/test-db.ts'
import { claim, claimRun } from './claim-run.ts'
import { forgetQueuedLabels } from './forget-queued-labels.ts'
import { queueDueRuns } from './queue-due-runs.ts'

const db = await testDb()
const openClaim = (workerId: number) =>
  openExplainer(db.url, {
    types: 'bigint, bigint[]',
    text: claim.text.replaceAll('$3', 'gen_random_uuid()'),
    values: `${workerId}, '{}'`,
  })

test('whatever stands in front of it, a claim seeks its run and reads no queue, also as planned while nothing waited', async () => {
  await using worker = await registerTestWorker(db.url)
  await using explainer = await openClaim(worker.workerId)
  const scansOf = await explainer.explain()
  assert.deepEqual([...scansOf('run_heads').types], ['Index Scan'])
  await makeDeepQueue(db, { labels: '{gpu}' })
  await makeDeepQueue(db, { isLate: true })
  const full = await makeDeepQueue(db)
  await db.query('update run_slots set max_running = 0 where organization_id = $1', [full])
  const run = await makeRun(db)
  await db.query(`update workers set alive_until = now() + interval '1 hour'`)
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await db.query('analyze')
    const scansOf = await explainer.explain()
    const [heads, slots] = [scansOf('run_heads').read, scansOf('run_slots').read]
    // Found, locked, and changed; of the organizations, the one with the label too, and where few are all the few.
    assert.ok(heads <= 6, `${heads} runs were read`)
    assert.ok(slots <= 10, `${slots} organizations were read`)
  }
  assert.equal((await claimRun(db, worker))?.runId, run.id)
  assert.equal(await claimRun(db, worker), undefined)
})

test('a worker that holds a run which was lost twice seeks the next one that was not', async () => {
  await db.query('update run_slots set max_running = 0')
  const organizationId = await makeDeepQueue(db, { claims: 2 })
  const { adminId: userId } = await makeOrganization(db)
  await using worker = await registerTestWorker(db.url)
  assert.equal((await claimRun(db, worker))?.claims, 3)
  assert.equal(await claimRun(db, worker), undefined)
  const fresh = await makeRun(db, { organizationId, userId })
  await using explainer = await openClaim(worker.workerId)
  const { read } = (await explainer.explain())('run_heads')
  assert.ok(read <= 7, `${read} runs were read`)
  assert.equal((await claimRun(db, worker))?.runId, fresh.id)
})

test('a run is claimed once its time has come', async () => {
  await db.query('update run_slots set max_running = 0')
  const run = await makeRun(db)
  await db.query(`update run_heads set not_before = now() + interval '1 hour' where run_id = $1`, [run.id])
  await using worker = await registerTestWorker(db.url)
  await queueDueRuns(db)
  assert.equal(await claimRun(db, worker), undefined)
  // Time goes by without anybody writing `not_before`.
  await db.query('alter table run_heads disable trigger run_heads_due')
  await db.query('update run_heads set not_before = now() where run_id = $1', [run.id])
  await db.query('alter table run_heads enable trigger run_heads_due')
  assert.equal(await claimRun(db, worker), undefined)
  await queueDueRuns(db)
  assert.equal((await claimRun(db, worker))?.runId, run.id)
})

const labelsOf = async (organizationId: number) =>
  (
    await one<{ queuedLabels: string[] }>(db, 'select queued_labels from run_slots where organization_id = $1', [
      organizationId,
    ])
  ).queuedLabels

test('an organization with nothing queued is forgotten, but not while somebody queues a run of it', async () => {
  await db.query('update run_slots set max_running = 0')
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await makeRun(db, { organizationId, userId })
  await using worker = await registerTestWorker(db.url)
  assert.ok(await claimRun(db, worker))
  assert.deepEqual(await labelsOf(organizationId), ['{}'])
  const client = await db.connect()
  try {
    await client.query('begin')
    const run = await makeRun(client, { organizationId, userId })
    await forgetQueuedLabels(db)
    assert.deepEqual(await labelsOf(organizationId), ['{}'], 'nobody else sees the run yet')
    await client.query('commit')
    await forgetQueuedLabels(db)
    assert.equal((await claimRun(db, worker))?.runId, run.id)
  } finally {
    client.release()
  }
  await forgetQueuedLabels(db)
  assert.deepEqual(await labelsOf(organizationId), [])
  const next = await makeRun(db, { organizationId, userId })
  assert.equal((await claimRun(db, worker))?.runId, next.id)
})

test('a run is found by the labels that it asks for now', async () => {
  await db.query('update run_slots set max_running = 0')
  const run = await makeRun(db)
  await db.query(`update run_heads set labels = '{gpu}' where run_id = $1`, [run.id])
  assert.deepEqual((await labelsOf(run.organizationId)).toSorted(), ['{gpu}', '{}'])
  await using gpu = await registerTestWorker(db.url, { labels: ['gpu'] })
  assert.equal((await claimRun(db, gpu))?.runId, run.id)
})
