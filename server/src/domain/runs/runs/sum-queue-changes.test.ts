import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '#db/pool.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { cancelRun } from './cancel-run.ts'
import { claimRun } from './claim-run.ts'
import { releaseRun } from './release-run.ts'
import { sumQueueChanges } from './sum-queue-changes.ts'

const db = await testDb()
const kinds = 'organization_id, labels, status_detail, is_due'

const counted = () =>
  rows(
    db,
    `select ${kinds}, sum(change)::int as runs from queue_changes group by ${kinds} having sum(change) <> 0 order by ${kinds}`,
  )
const queued = () =>
  rows(
    db,
    `select ${kinds}, count(*)::int as runs from run_heads where status = 'queued' group by ${kinds} order by ${kinds}`,
  )

async function assertCounted(what: string): Promise<void> {
  assert.deepEqual(await counted(), await queued(), what)
}

test('whatever happens to a run, the lengths of queues are right', async () => {
  await using worker = await registerTestWorker(db.url)
  const run = await makeRun(db)
  const ids = { organizationId: run.organizationId, runId: run.id }
  await assertCounted('created')
  const change = (set: string) => db.query(`update run_heads set ${set} where run_id = $1`, [run.id])
  for (const set of [
    `labels = '{gpu}'`,
    `labels = '{}'`,
    `not_before = now() + interval '1 hour'`,
    'not_before = now()',
    `status_detail = 'no_worker'`,
    'status_detail = null',
    `status = 'paused'`,
    `status = 'queued'`,
  ]) {
    await change(set)
    await assertCounted(set)
  }
  const claim = await claimRun(db, worker)
  assert.ok(claim)
  await assertCounted('claimed')
  await releaseRun(db, { ...claim, isLost: true, mask: (text) => text })
  await assertCounted('released')
  await sumQueueChanges(db)
  await assertCounted('summed')
  await cancelRun(db, { ...ids, userId: 1 })
  assert.deepEqual(await counted(), [])
  await sumQueueChanges(db)
  assert.deepEqual(await rows(db, 'select from queue_changes'), [], 'nothing stays of what is not queued any more')
})

test('they are right while several queue, claim and sum at once', async () => {
  await using worker = await registerTestWorker(db.url, { slots: 100 })
  await makeHeldRun(db)
  const each = (work: () => Promise<unknown>) => async () => {
    for (let n = 0; n < 15; n++) await work()
  }
  const lengths = each(() => sumQueueChanges(db))
  const queueing = each(() => makeRun(db))
  await Promise.all([lengths(), lengths(), queueing(), queueing(), each(() => claimRun(db, worker))()])
  await assertCounted('in the end')
  await sumQueueChanges(db)
  await assertCounted('summed')
})
