import { randomUUID } from 'node:crypto'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { recordBlobs } from '#domain/runs/blobs/record-blobs.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { settleEffect } from '#domain/runs/effects/settle-effect.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { forgetCheckpoints } from './forget-checkpoints.ts'
import { listCheckpoints } from './list-checkpoints.ts'
import { listLostSteps } from './list-lost-steps.ts'
import { renewCheckpoint } from './renew-checkpoint.ts'
import { saveCheckpoint } from './save-checkpoint.ts'
import { sweepCheckpoints } from './sweep-checkpoints.ts'

const db = await testDb()
const mask = openRedactor([]).mask
const base = 'b'.repeat(40)

async function act(holder: Holder, key: string, request = { name: 'shell', input: { command: key } }): Promise<void> {
  const { step } = await startStep(db, { holder, key, kind: 'tool', request })
  await finishStep(db, { holder, step, response: null, entries: [], mask })
}

let made = 0
async function save(holder: Holder, key: string): Promise<string> {
  const sha256 = String(++made).padStart(64, '0')
  await recordBlobs(db, { organizationId: holder.organizationId, blobs: [{ sha256, bytes: 10 }] })
  const checkpoint = { commit: 'c'.repeat(40), baseCommits: [base], branchCommit: null, sha256, bytes: 10 }
  await saveCheckpoint(db, { holder, key, checkpoint })
  return sha256
}
const stepsKept = async (holder: Holder) => (await listCheckpoints(db, holder)).map(({ n, step }) => [n, step])

test('the last two checkpoints of a run are kept; the bytes of older ones may be swept at once', async () => {
  const { holder } = await makeHeldRun(db)
  const blobs: string[] = []
  for (const key of ['a', 'b', 'c', 'd']) {
    await act(holder, key)
    blobs.push(await save(holder, key))
  }
  assert.deepEqual(await stepsKept(holder), [
    [4, 4],
    [3, 3],
  ])
  const swept: string[] = []
  await sweepBlobs(db, { delete: async ({ sha256 }) => void swept.push(sha256) })
  assert.deepEqual(swept.toSorted(), blobs.slice(0, 2))
})

test('steps that change no file move the newest checkpoint on', async () => {
  const { holder } = await makeHeldRun(db)
  for (const key of ['a', 'b', 'c']) await act(holder, key)
  await save(holder, 'a')
  await save(holder, 'b')
  await renewCheckpoint(db, { holder, key: 'c' })
  await renewCheckpoint(db, { holder, key: 'a' })
  assert.deepEqual(await stepsKept(holder), [
    [2, 3],
    [1, 1],
  ])
})

test('a worker that was taken over stores none, moves none and forgets none', async () => {
  const { holder } = await makeHeldRun(db)
  for (const key of ['a', 'b']) await act(holder, key)
  await save(holder, 'a')
  await db.query('update run_heads set lease_id = $2 where run_id = $1', [holder.runId, randomUUID()])
  await assert.rejects(save(holder, 'b'), LeaseLost)
  await renewCheckpoint(db, { holder, key: 'b' })
  await forgetCheckpoints(db, holder)
  assert.deepEqual(await stepsKept(holder), [[1, 1]])
})

test('once the work is on its branch, no checkpoint of it is left', async () => {
  const { holder } = await makeHeldRun(db)
  await act(holder, 'a')
  await save(holder, 'a')
  await intendEffect(db, { holder, key: 'push', kind: 'push', request: {} })
  const pushed = { commit: base }
  await settleEffect(db, { holder, key: 'push', state: 'done', result: {}, entries: [], mask, pushed })
  assert.deepEqual(await stepsKept(holder), [])
})

test('lost are the finished steps after a checkpoint that may have changed files, in words', async () => {
  const { holder } = await makeHeldRun(db)
  await act(holder, 'a')
  await act(holder, 'b', { name: 'shell', input: { command: `echo ${'x'.repeat(300)}` } })
  await act(holder, 'c', { name: 'read', input: { command: '' } })
  await act(holder, 'd', { tool: 'edit', path: 'lib/a.js' } as never)
  await startStep(db, { holder, key: 'e', kind: 'tool', request: { name: 'shell' } })
  const lost = await listLostSteps(db, { ...holder, after: 1 })
  assert.deepEqual(
    lost.map(({ key, words }) => [key, words.length > 100 ? words.slice(0, 12) : words]),
    [
      ['b', 'shell: echo '],
      ['d', 'edit: lib/a.js'],
    ],
  )
  assert.ok(lost.every(({ words }) => words.length <= 200))
  assert.deepEqual(await listLostSteps(db, { ...holder, after: 0, fromTurn: 2 }), [])
})

test('a step that a lost worker had begun counts from when it was done', async () => {
  const { holder } = await makeHeldRun(db)
  const begun = await startStep(db, { holder, key: 'a', kind: 'tool', request: { name: 'shell' } })
  await act(holder, 'b')
  await save(holder, 'b')
  await finishStep(db, { holder, step: begun.step, response: null, entries: [], mask })
  const [checkpoint] = await listCheckpoints(db, holder)
  const lost = await listLostSteps(db, { ...holder, after: checkpoint!.step })
  assert.deepEqual(
    lost.map(({ key }) => key),
    ['a'],
  )
  await renewCheckpoint(db, { holder, key: 'a' })
  assert.deepEqual(await stepsKept(holder), [[1, begun.step]])
})

test('checkpoints of a run that failed or was stopped are kept for thirty days', async () => {
  const { holder } = await makeHeldRun(db)
  await act(holder, 'a')
  const sha256 = await save(holder, 'a')
  const age = async (days: number, status: string) => {
    await db.query('alter table run_heads disable trigger user')
    await db.query(
      `update run_heads set status = $2, worker_id = null, lease_id = null, updated_at = now() - $3 * interval '1 day' where run_id = $1`,
      [holder.runId, status, days],
    )
    await db.query('alter table run_heads enable trigger user')
    await sweepCheckpoints(db)
    return (await listCheckpoints(db, holder)).length
  }
  assert.equal(await age(29, 'cancelled'), 1)
  assert.equal(await age(31, 'paused'), 1, 'a paused run goes on whenever somebody wants')
  assert.equal(await age(31, 'cancelled'), 0)
  const swept: string[] = []
  await sweepBlobs(db, { delete: async (blob) => void swept.push(blob.sha256) })
  assert.ok(swept.includes(sha256))
})
