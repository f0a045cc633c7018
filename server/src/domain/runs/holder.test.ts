import { randomUUID } from 'node:crypto'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '#base/entry.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { readLogPage } from '#domain/runs/logs/read-log-page.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeUsage } from '#test/make-usage.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { listPast } from '#domain/runs/steps/list-past.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, type Holder } from './holder.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'

const db = await testDb()
const blobs = testBlobs()
const mask = openRedactor([]).mask
const tool = (holder: Holder, key: string) => ({ holder, key, kind: 'tool' as const, request: { command: 'ls' } })
const action: Entry = { messageType: 'ACTION', toolName: 'shell', toolInput: {}, toolOutput: {} }
const done = (holder: Holder, step: number, entries: Entry[] = [action]) => ({
  holder,
  step,
  response: { exit_code: 0 },
  entries,
  mask,
})
const logOf = async ({ organizationId, runId }: Holder) =>
  (await readLogPage(db, { organizationId, runId, blobs, from: 1, to: 100 })).map((text) => JSON.parse(text))

test('a step that is done answers what it answered, and is not done again', async () => {
  const { holder } = await makeHeldRun(db)
  const first = await startStep(db, tool(holder, 'a'))
  assert.deepEqual([first.done, first.step], [false, 1])
  await finishStep(db, done(holder, first.step))
  assert.deepEqual(await startStep(db, tool(holder, 'a')), { step: 1, done: true, response: { exit_code: 0 } })
})

test('log numbers are dense, whoever writes', async () => {
  const { holder } = await makeHeldRun(db)
  await takeMessages(db, { holder, mask, blobs })
  for (const key of ['a', 'b', 'c']) {
    const { step } = await startStep(db, tool(holder, key))
    await finishStep(db, done(holder, step, [action, action]))
  }
  assert.deepEqual(
    (await logOf(holder)).map((entry) => entry.seq),
    [1, 2, 3, 4, 5, 6, 7],
  )
})

test('an outcome that is stored again after a lost answer is stored once', async () => {
  const { holder } = await makeHeldRun(db)
  const { step } = await startStep(db, tool(holder, 'a'))
  await finishStep(db, done(holder, step))
  await finishStep(db, done(holder, step))
  assert.equal((await logOf(holder)).length, 1)
})

test('a step begun by a lost worker is known as repeated, one of the same worker is not', async () => {
  const { holder } = await makeHeldRun(db)
  await startStep(db, tool(holder, 'a'))
  const again = await startStep(db, tool(holder, 'a'))
  assert.equal(!again.done && again.isRepeated, false)
  const next = { ...holder, leaseId: randomUUID() }
  await db.query('update run_heads set lease_id = $2 where run_id = $1', [holder.runId, next.leaseId])
  const takenOver = await startStep(db, tool(next, 'a'))
  assert.equal(!takenOver.done && takenOver.isRepeated, true)
})

test('a worker that was taken over writes nothing', async () => {
  const { holder } = await makeHeldRun(db)
  const { step } = await startStep(db, tool(holder, 'a'))
  await db.query('update run_heads set lease_id = $2 where run_id = $1', [holder.runId, randomUUID()])
  await assert.rejects(finishStep(db, done(holder, step)), LeaseLost)
  await assert.rejects(startStep(db, tool(holder, 'b')), LeaseLost)
  await assert.rejects(takeMessages(db, { holder, mask, blobs }), LeaseLost)
  assert.deepEqual(await logOf(holder), [])
})

test('after a stop is asked for nothing more is begun or logged', async () => {
  const { run, holder } = await makeHeldRun(db)
  const { step } = await startStep(db, tool(holder, 'a'))
  await cancelRun(db, { organizationId: run.organizationId, runId: run.id, userId: run.userId ?? 0 })
  await assert.rejects(finishStep(db, done(holder, step)), LeaseLost)
  await assert.rejects(startStep(db, tool(holder, 'b')), LeaseLost)
  assert.deepEqual(await logOf(holder), [])
})

test('usage adds up, and a cost that is not known stays unknown', async () => {
  const { run, holder } = await makeHeldRun(db)
  const use = async (key: string, costUsd: number | null) => {
    const { step } = await startStep(db, { ...tool(holder, key), kind: 'model' })
    await finishStep(db, { ...done(holder, step, []), usage: makeUsage({ costUsd }) })
    const { rows } = await db.query('select input_tokens, output_tokens, cost_usd from run_heads where run_id = $1', [
      run.id,
    ])
    return rows[0]
  }
  assert.deepEqual(await use('a', null), { input_tokens: 100, output_tokens: 10, cost_usd: null })
  assert.equal(Number((await use('b', 0.25)).cost_usd), 0.25)
})

test('the past is what people said and what was done, in order', async () => {
  const { holder } = await makeHeldRun(db)
  await takeMessages(db, { holder, mask, blobs })
  const { step } = await startStep(db, tool(holder, 'a'))
  await finishStep(db, done(holder, step))
  await db.query(`insert into messages (organization_id, run_id, n, body) values ($1, $2, 2, 'more')`, [
    holder.organizationId,
    holder.runId,
  ])
  await takeMessages(db, { holder, mask, blobs })
  await startStep(db, tool(holder, 'b'))
  const past = await listPast(db, holder)
  assert.deepEqual(
    past.map((item) => (item.type === 'message' ? item.text : [item.step.key, item.step.response])),
    ['Fix it', ['a', { exit_code: 0 }], 'more', ['b', undefined]],
  )
})
