import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { maybeOne } from '#db/pool.ts'
import { makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { claimRun } from './claim-run.ts'
import { releaseRun } from './release-run.ts'

const db = await testDb()
const mask = openRedactor([]).mask

const register = () => registerTestWorker(db.url)

test('who claims a run is told how long it waited, and since when its last worker was lost', async () => {
  await using worker = await register()
  const { workerId } = worker
  const run = await makeRun(db, { traceparent: 'as it came' })
  await db.query(
    `update run_heads set queued_at = now() - interval '5 seconds', not_before = now() - interval '5 seconds' where run_id = $1`,
    [run.id],
  )
  const first = await claimRun(db, { workerId })
  assert.partialDeepStrictEqual(first, { runId: run.id, workerId, traceparent: 'as it came', agentType: 'scripted' })
  assert.partialDeepStrictEqual(first, {
    takeoverSeconds: null,
    log: { entries: 0, bytes: 0 },
    createdAt: run.createdAt,
  })
  assert.ok(first && first.pickupSeconds >= 5 && first.pickupSeconds < 20, `${first?.pickupSeconds} s`)

  await releaseRun(db, { ...first, isLost: false, mask })
  const handedOver = await claimRun(db, { workerId })
  assert.ok(handedOver && handedOver.pickupSeconds < 5, 'it has waited anew')
  assert.equal(handedOver.takeoverSeconds, null, 'nobody was lost')

  // The lease was renewed for the last time four seconds ago, and no step was done since.
  await db.query(`update workers set alive_until = now() + interval '2 seconds' where id = $1`, [workerId])
  await db.query('update run_heads set progress_at = null where run_id = $1', [run.id])
  await releaseRun(db, { ...handedOver, isLost: true, mask })
  await db.query(`update workers set alive_until = now() + interval '1 hour' where id = $1`, [workerId])
  const takenOver = await claimRun(db, { workerId })
  const seconds = takenOver?.takeoverSeconds ?? 0
  assert.ok(seconds >= 4 && seconds < 15, `${seconds} s`)
  const head = await maybeOne(db, 'select lost_at from run_heads where run_id = $1', [run.id])
  assert.deepEqual(head, { lostAt: null }, 'that is over with the claim')
})

test('who releases a run is told how its turn has ended, if it has', async () => {
  await using worker = await register()
  const run = await makeRun(db)
  for (let loss = 1; loss <= 3; loss++) {
    const claim = await claimRun(db, worker)
    assert.equal(claim?.runId, run.id)
    const ended = await releaseRun(db, { ...claim, isLost: true, mask })
    if (loss < 3) assert.equal(ended, undefined)
    else assert.partialDeepStrictEqual(ended, { status: 'failed', code: 'worker_lost', log: { entries: 1 } })
    assert.equal(await releaseRun(db, { ...claim, isLost: true, mask }), undefined, 'it is not held any more')
  }
})
