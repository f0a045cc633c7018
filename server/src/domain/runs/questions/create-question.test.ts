import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one, type Db } from '#db/pool.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { continueRun } from '#domain/runs/runs/continue-run.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { getTimeline } from '#domain/runs/runs/get-timeline.ts'
import { pauseRun } from '#domain/runs/runs/pause-run.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { answerQuestion } from './answer-question.ts'
import { createQuestion } from './create-question.ts'

const db = await testDb()
const mask = openRedactor([{ name: 'KEY', value: 'sk-secret-0123456789' }]).mask
const ids = ({ organizationId, runId }: Holder) => ({ organizationId, runId, userId: 1 })
const put = (holder: Holder, text = 'Tabs or spaces?', key = 't1/1/1', on: Db = db) =>
  createQuestion(on, { holder, key, kind: 'question', text, options: ['tabs', 'spaces'], mask })
const release = (holder: Holder, isLost = false) => releaseRun(db, { ...holder, isLost, mask })
const answer = (holder: Holder, n = 1, text = 'tabs') => answerQuestion(db, { ...ids(holder), n, answer: text })
const running = async ({ organizationId }: Holder) =>
  (await one<{ running: number }>(db, 'select running from run_slots where organization_id = $1', [organizationId]))
    .running

/** A run whose worker has asked, and let go of it. */
async function waiting(): Promise<Holder> {
  const { holder } = await makeHeldRun(db)
  await put(holder)
  await release(holder)
  return holder
}

for (const isLost of [false, true]) {
  test(`a run that asks waits without a worker and a slot, ${isLost ? 'also when its worker is lost meanwhile' : 'once its worker has let go'}`, async () => {
    const { holder } = await makeHeldRun(db)
    await put(holder)
    await db.query('update run_heads set claims = $2 where run_id = $1', [
      holder.runId,
      limits.claimsWithoutProgressMax,
    ])
    await release(holder, isLost)
    const run = await getRun(db, ids(holder))
    assert.deepEqual([run.status, run.statusDetail, run.turn], ['waiting_for_user', 'question', 1])
    assert.equal(await running(holder), 0)
    assert.equal((await answer(holder)).answer, 'tabs')
    assert.partialDeepStrictEqual(await getRun(db, ids(holder)), {
      status: 'queued',
      statusDetail: 'capacity',
      turn: 1,
    })
  })
}

test('a question is put once for its key, without secrets and no longer than people read', async () => {
  const { holder } = await makeHeldRun(db)
  const first = await put(holder, `Is sk-secret-0123456789 right?\0${'x'.repeat(limits.questionCharactersMax)}`)
  assert.match(first.text, /^Is \[.*\] right\?\\u0000x+…$/)
  assert.equal(first.text.length, limits.questionCharactersMax)
  assert.deepEqual(await put(holder, 'Something else?'), first)
  assert.equal((await put(holder, 'And then?', 't1/2/1')).n, 2)
})

test('an answer that comes before the worker has let go is kept, and nobody waits', async () => {
  const { holder } = await makeHeldRun(db)
  await put(holder)
  await answer(holder)
  await release(holder)
  assert.equal((await getRun(db, ids(holder))).status, 'queued')
  assert.equal(await running(holder), 0)
})

test('answer and release at once leave the run queued, whichever comes first', async () => {
  for (let n = 0; n < 10; n++) {
    const { holder } = await makeHeldRun(db)
    await put(holder)
    await Promise.all([release(holder), answer(holder)])
    assert.equal((await getRun(db, ids(holder))).status, 'queued')
    assert.equal(await running(holder), 0)
  }
})

test('of two answers at once one counts, and the run is queued once', async () => {
  const holder = await waiting()
  const answered = await Promise.allSettled([answer(holder, 1, 'tabs'), answer(holder, 1, 'spaces')])
  assert.deepEqual(answered.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await getRun(db, ids(holder))).status, 'queued')
})

test('a pause that is wanted comes before the wait, and what was answered meanwhile is there afterwards', async () => {
  const { holder } = await makeHeldRun(db)
  await put(holder)
  await pauseRun(db, ids(holder))
  await release(holder)
  assert.equal((await getRun(db, ids(holder))).status, 'paused')
  await answer(holder)
  assert.equal((await getRun(db, ids(holder))).status, 'paused')
  await continueRun(db, ids(holder))
  assert.equal((await getRun(db, ids(holder))).status, 'queued')
  await assert.rejects(put(holder), LeaseLost)
})

test('a message to a run that waits starts its next turn, and the question cannot be answered any more', async () => {
  const holder = await waiting()
  await resumeRun(db, { ...ids(holder), prompt: 'Never mind' })
  assert.partialDeepStrictEqual(await getRun(db, ids(holder)), { status: 'queued', turn: 2 })
  await assert.rejects(answer(holder), { code: 'conflict', message: /turn 1/ })
  const spans = await getTimeline(db, ids(holder))
  assert.ok(spans.every(({ kind }) => kind !== 'person'))
})

test('a run that waits is stopped at once, and takes no answer then', async () => {
  const holder = await waiting()
  assert.equal((await cancelRun(db, ids(holder))).status, 'cancelled')
  await assert.rejects(answer(holder), { code: 'run_already_ended' })
})

test('a run that is being stopped asks nothing', async () => {
  const { holder } = await makeHeldRun(db)
  await cancelRun(db, ids(holder))
  await assert.rejects(put(holder), LeaseLost)
  await release(holder)
  assert.equal((await getRun(db, ids(holder))).status, 'cancelled')
})

test('the time that people take is theirs: it is no time of the run, and stands in its timeline', async () => {
  const { holder } = await makeHeldRun(db)
  const made = await startStep(db, { holder, key: 't1/workspace', kind: 'note', request: {} })
  await finishStep(db, { holder, step: made.step, response: null, entries: [], mask })
  const { step } = await startStep(db, { holder, key: 't1/1/1', kind: 'ask', request: {} })
  await put(holder)
  await release(holder)
  const later = `interval '1 hour'`
  await db.query(
    `update run_heads set held_at = held_at - ${later}, turn_started_at = turn_started_at - ${later} where run_id = $1`,
    [holder.runId],
  )
  const { startedAt: before } = await turnStart(holder)
  await answer(holder)
  const { startedAt } = await turnStart(holder)
  const shiftedMs = startedAt.getTime() - before.getTime()
  assert.ok(shiftedMs >= 3_600_000 && shiftedMs < 3_660_000, String(shiftedMs))
  assert.deepEqual(await kinds(holder), ['queue', 'setup', 'person', 'queue…'])
  const next = await holdAgain(holder)
  await startStep(db, { holder: next, key: 't1/1/1', kind: 'ask', request: {} })
  await finishStep(db, { holder: next, step, response: { answer: 'tabs' }, entries: [], mask })
  await finishTurn(db, { holder: next, end: { status: 'cancelled' }, entries: [], mask })
  assert.deepEqual(await kinds(holder), ['queue', 'setup', 'person', 'queue'])
})

const turnStart = ({ runId }: Holder) =>
  one<{ startedAt: Date }>(db, 'select turn_started_at as "startedAt" from run_heads where run_id = $1', [runId])

/** As by the claim of another worker. */
async function holdAgain(holder: Holder): Promise<Holder> {
  const { leaseId } = await one<{ leaseId: string }>(
    db,
    `update run_heads set status = 'in_progress', lease_id = gen_random_uuid(), worker_id = (select min(id) from workers)
     where run_id = $1 returning lease_id`,
    [holder.runId],
  )
  await db.query('update run_slots set running = running + 1 where organization_id = $1', [holder.organizationId])
  return { ...holder, leaseId }
}

/** A span that lasts is marked. */
const kinds = async (holder: Holder) =>
  (await getTimeline(db, ids(holder))).map(({ kind, to }) => (to ? kind : `${kind}…`))
