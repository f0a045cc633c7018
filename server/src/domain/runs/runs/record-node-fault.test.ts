import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { finishTurn } from './finish-turn.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { nodeFaultsMax, nodeFaultsMs, recordNodeFault } from './record-node-fault.ts'

const db = await testDb()

test('a run that workers fail again and again by their own faults is not passed on for ever', async () => {
  const { holder } = await makeHeldRun(db)
  for (let count = 1; count < nodeFaultsMax; count++)
    assert.deepEqual(await recordNodeFault(db, holder), { count, isSpent: false })
  assert.deepEqual(await recordNodeFault(db, holder), { count: nodeFaultsMax, isSpent: true })
})

test('of 50 at once exactly as many as may be are passed on', async () => {
  const { holder } = await makeHeldRun(db)
  const found = await Promise.all(Array.from({ length: 50 }, () => recordNodeFault(db, holder)))
  assert.equal(found.filter(({ isSpent }) => !isSpent).length, nodeFaultsMax - 1)
})

test('faults long ago, or of an earlier turn, count no more', async () => {
  const { holder } = await makeHeldRun(db)
  for (let count = 1; count < nodeFaultsMax; count++) await recordNodeFault(db, holder)
  await db.query(`update run_heads set node_fault_at = now() - $2 * interval '1 millisecond' where run_id = $1`, [
    holder.runId,
    nodeFaultsMs,
  ])
  assert.deepEqual(await recordNodeFault(db, holder), { count: 1, isSpent: false })
  const end = { status: 'failed' as const, error: { code: 'x', message: 'x', retryable: true } }
  await finishTurn(db, { holder, end, entries: [], mask: openRedactor([]).mask })
  const { rows } = await db.query('select node_faults from run_heads where run_id = $1', [holder.runId])
  assert.deepEqual(rows, [{ node_faults: 0 }])
  await assert.rejects(recordNodeFault(db, holder), LeaseLost)
})
