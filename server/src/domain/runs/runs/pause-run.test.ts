import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one } from '#db/pool.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, PauseWanted } from '#domain/runs/holder.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { continueRun } from './continue-run.ts'
import { finishTurn } from './finish-turn.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { getSettings } from './get-settings.ts'
import { pauseRun } from './pause-run.ts'
import { releaseRun } from './release-run.ts'
import { resumeRun } from './resume-run.ts'
import type { Run } from '#domain/runs/run.ts'
import { updateRun } from './update-run.ts'

const db = await testDb()
const blobs = testBlobs()
const mask = openRedactor([]).mask
const ids = (run: Run) => ({ organizationId: run.organizationId, runId: run.id, userId: run.userId ?? 0 })
const running = async (run: Run) =>
  (await one<{ running: number }>(db, 'select running from run_slots where organization_id = $1', [run.organizationId]))
    .running

test('the step at work is finished, notes of ours go on, and the next step is refused', async () => {
  const { run, holder } = await makeHeldRun(db)
  const begin = (key: string, kind: 'tool' | 'note') => startStep(db, { holder, key, kind, request: {} })
  const first = await begin('t1/1', 'tool')
  await pauseRun(db, ids(run))
  await finishStep(db, { holder, step: first.step, response: 'done', entries: [], mask })
  assert.partialDeepStrictEqual(await begin('t1/1', 'tool'), { done: true, response: 'done' })
  assert.equal((await begin('t1/note', 'note')).done, false)
  await assert.rejects(begin('t1/2', 'tool'), PauseWanted)
  await releaseRun(db, { ...holder, isLost: false, mask })
  assert.partialDeepStrictEqual(await getRun(db, ids(run)), { status: 'paused', statusDetail: null, turn: 1 })
  assert.equal(await running(run), 0)
  await assert.rejects(begin('t1/2', 'tool'), LeaseLost)
})

test('a step that a lost worker had begun is not begun again before the pause', async () => {
  const { run, holder } = await makeHeldRun(db)
  const begin = () => startStep(db, { holder, key: 't1/1', kind: 'tool', request: {} })
  await begin()
  await pauseRun(db, ids(run))
  await assert.rejects(begin(), PauseWanted)
})

test('a run whose worker is lost on the way to a pause is paused', async () => {
  const { run, holder } = await makeHeldRun(db)
  await pauseRun(db, ids(run))
  await releaseRun(db, { ...holder, isLost: true, mask })
  assert.equal((await getRun(db, ids(run))).status, 'paused')
})

test('the time of a pause is not the time of the run', async () => {
  const { run, holder } = await makeHeldRun(db)
  await pauseRun(db, ids(run))
  await releaseRun(db, { ...holder, isLost: false, mask })
  const startedAt = async () =>
    (
      await one<{ at: Date }>(db, 'select turn_started_at as at from run_heads where run_id = $1', [run.id])
    ).at.getTime()
  const before = await startedAt()
  await db.query(`update run_heads set held_at = held_at - interval '1 hour' where run_id = $1`, [run.id])
  assert.partialDeepStrictEqual(await continueRun(db, ids(run)), { status: 'queued', turn: 1 })
  const movedMs = (await startedAt()) - before
  assert.ok(movedMs >= 3_600_000 && movedMs < 3_660_000, `moved by ${movedMs} ms`)
})

test('a message that comes as the run ends begins a turn that is held, where a pause was asked for', async () => {
  const { run, holder } = await makeHeldRun(db)
  await takeMessages(db, { holder, mask, blobs })
  await resumeRun(db, { ...ids(run), prompt: 'one more thing' })
  await pauseRun(db, ids(run))
  await finishTurn(db, { holder, end: { status: 'completed', result: 'done', summary: null }, entries: [], mask })
  assert.partialDeepStrictEqual(await getRun(db, ids(run)), { status: 'paused', turn: 2, result: 'done' })
})

test('a worker sees what was configured since, as long as it holds the run', async () => {
  const { run, holder } = await makeHeldRun(db, { model: 'a', timeoutMinutes: 5 })
  const rest = { isLimited: false, hasMessages: true, providersVersion: '' }
  const before = { models: ['a'], effort: null, maxModelCalls: null, timeoutMinutes: 5, ...rest }
  assert.deepEqual(await getSettings(db, holder), before)
  await updateRun(db, { ...ids(run), changes: { model: 'b', effort: 'low', maxModelCalls: 3, timeoutMinutes: 9 } })
  const now = { models: ['b'], effort: 'low', maxModelCalls: 3, timeoutMinutes: 9, ...rest }
  assert.deepEqual(await getSettings(db, holder), now)
  await releaseRun(db, { ...holder, isLost: false, mask })
  await assert.rejects(getSettings(db, holder), LeaseLost)
})
