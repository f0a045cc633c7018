import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redactor/redactor.ts'
import { one } from '#db/pool.ts'
import { createBudget } from '#domain/budgets/create-budget.ts'
import { removeBudget } from '#domain/budgets/remove-budget.ts'
import { updateBudget } from '#domain/budgets/update-budget.ts'
import { cancelRun } from '#domain/runs/cancel-run.ts'
import { continueRun } from '#domain/runs/continue-run.ts'
import { estimateRun } from '#domain/runs/estimate-run.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { pauseRun } from '#domain/runs/pause-run.ts'
import { releaseRun } from '#domain/runs/release-run.ts'
import { resumeRun } from '#domain/runs/resume-run.ts'
import { updateRun } from '#domain/runs/update-run.ts'
import { finishStep } from '#domain/steps/finish-step.ts'
import { startStep } from '#domain/steps/start-step.ts'
import { LeaseLost, type Holder } from '#domain/steps/step.ts'
import { listUsage } from '#domain/usage/list-usage.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { makeUsage } from '#test/make-usage.ts'
import { testDb } from '#test/test-db.ts'
import { finishModelCall } from './finish-model-call.ts'
import { startModelCall } from './start-model-call.ts'

const db = await testDb()
const mask = openRedactor([]).mask
const expected = makeUsage({ inputTokens: 40, outputTokens: 0, costUsd: 0.1, priceSource: 'a table' })
const start = (holder: Holder, key = 'proxy/1') => startModelCall(db, { holder, key, expected })
const usage = makeUsage({ inputTokens: 50, outputTokens: 7, costUsd: 0.3, priceSource: 'a table' })
const finish = (holder: Holder, key = 'proxy/1') => finishModelCall(db, { ...holder, key, usage, isEstimated: false })

const usageOf = async ({ organizationId, runId }: Holder) => (await getRun(db, { organizationId, runId })).usage
const sumsOf = async ({ organizationId }: Holder) =>
  (await listUsage(db, { organizationId, groups: ['model'], skip: 0, limit: 100 })).items

test('a call counts from its beginning, and in the end for what it used', async () => {
  const { holder } = await makeHeldRun(db)
  assert.equal(await start(holder), 'started')
  assert.deepEqual(await usageOf(holder), { inputTokens: 40, outputTokens: 0, costUsd: 0.1 })
  assert.partialDeepStrictEqual(await sumsOf(holder), [{ calls: 1, inputTokens: 40, outputTokens: 0, costUsd: 0.1 }])
  await finish(holder)
  // Sent again because its answer was lost.
  await finish(holder)
  assert.deepEqual(await usageOf(holder), { inputTokens: 50, outputTokens: 7, costUsd: 0.3 })
  assert.partialDeepStrictEqual(await sumsOf(holder), [{ calls: 1, inputTokens: 50, outputTokens: 7, costUsd: 0.3 }])
})

test('a call that used nothing was never made', async () => {
  const { holder } = await makeHeldRun(db)
  await start(holder)
  const nothing = { ...holder, key: 'proxy/1', usage: null, isEstimated: false }
  await finishModelCall(db, nothing)
  await finishModelCall(db, nothing)
  assert.deepEqual(await usageOf(holder), { inputTokens: 0, outputTokens: 0, costUsd: null })
  assert.deepEqual(await sumsOf(holder), [])
})

test('an engine’s calls and those of programs inside are one sum, whichever order they end in', async () => {
  const { holder } = await makeHeldRun(db)
  await start(holder)
  const { step } = await startStep(db, { holder, key: 't1/model/1', kind: 'model', request: {} })
  await finishStep(db, { holder, step, response: null, entries: [], usage, mask })
  await finish(holder)
  assert.deepEqual(await usageOf(holder), { inputTokens: 100, outputTokens: 14, costUsd: 0.6 })
  assert.partialDeepStrictEqual(await sumsOf(holder), [{ calls: 2, inputTokens: 100, outputTokens: 14, costUsd: 0.6 }])
  const calls = await db.query(
    'select key, is_estimated, price_source, ended_at is not null as ended from model_calls where run_id = $1 order by key',
    [holder.runId],
  )
  const told = { is_estimated: false, price_source: 'a table', ended: true }
  assert.deepEqual(calls.rows, [
    { key: 'proxy/1', ...told },
    { key: 't1/model/1', ...told },
  ])
})

test('what a call used counts though its run is held by somebody else by then', async () => {
  const { holder } = await makeHeldRun(db)
  await start(holder)
  await releaseRun(db, { ...holder, isLost: false, mask })
  await assert.rejects(start(holder, 'proxy/2'), LeaseLost)
  await finish(holder)
  assert.partialDeepStrictEqual(await usageOf(holder), { inputTokens: 50, costUsd: 0.3 })
})

test('of twenty calls made at once only so many begin as there is money for', async () => {
  const { holder } = await makeHeldRun(db, { maxCostUsd: 0.45 })
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => start(holder, `proxy/${n}`)))
  assert.equal(outcomes.filter((outcome) => outcome === 'started').length, 5)
  assert.equal((await usageOf(holder)).costUsd, 0.5)
})

/** A run whose money is spent, given up by its worker. */
async function spentRun() {
  const { run, holder } = await makeHeldRun(db, { maxCostUsd: 0.3 })
  await start(holder)
  await finish(holder)
  assert.equal(await start(holder, 'proxy/2'), 'spent')
  const ids = { organizationId: run.organizationId, runId: run.id }
  return { holder, ids, standing: async () => standingOf(await getRun(db, ids)) }
}
const standingOf = ({ status, statusDetail, turn }: Awaited<ReturnType<typeof getRun>>) => [status, statusDetail, turn]

test('a run whose money is spent is paused, and goes on in the same turn when it is given more', async () => {
  const { holder, ids, standing } = await spentRun()
  await releaseRun(db, { ...holder, isLost: false, mask })
  assert.deepEqual(await standing(), ['paused', 'budget_reached', 1])
  const prompt = { prompt: 'Go on', images: [], userId: 1 }
  await assert.rejects(continueRun(db, ids), { code: 'budget_reached', message: /cost 0\.30 USD and may cost 0\.30/ })
  await assert.rejects(resumeRun(db, { ...ids, ...prompt }), { code: 'budget_reached' })
  await updateRun(db, { ...ids, changes: { maxCostUsd: 0.3 } })
  assert.deepEqual(await standing(), ['paused', 'budget_reached', 1])
  await updateRun(db, { ...ids, changes: { maxCostUsd: 0.31 } })
  assert.deepEqual(await standing(), ['queued', 'capacity', 1])
})

test('it goes on too when the money comes before its worker has given it up', async () => {
  const { holder, ids, standing } = await spentRun()
  assert.deepEqual(await standing(), ['in_progress', 'budget_reached', 1])
  await updateRun(db, { ...ids, changes: { maxCostUsd: null } })
  await releaseRun(db, { ...holder, isLost: false, mask })
  assert.deepEqual(await standing(), ['queued', 'handed_over', 1])
})

test('a pause that somebody wants stays one, however much money there is', async () => {
  const { run, holder } = await makeHeldRun(db, { maxCostUsd: 0.1 })
  const ids = { organizationId: run.organizationId, runId: run.id }
  await pauseRun(db, { ...ids, userId: run.userId ?? 1 })
  await start(holder)
  assert.equal(await start(holder, 'proxy/2'), 'spent')
  await updateRun(db, { ...ids, changes: { maxCostUsd: 5 } })
  await releaseRun(db, { ...holder, isLost: false, mask })
  assert.deepEqual(standingOf(await getRun(db, ids)), ['paused', null, 1])
})

test('a run that is being stopped asks no model', async () => {
  const { run, holder } = await makeHeldRun(db)
  await cancelRun(db, { organizationId: run.organizationId, runId: run.id, userId: run.userId ?? 1 })
  await assert.rejects(start(holder), LeaseLost)
})

test('a budget of the organization holds its runs, and no other is made; raised or removed, they go on', async () => {
  const { run, holder } = await makeHeldRun(db)
  const { organizationId, userId } = run
  const wanted = { organizationId, userId: null, repoId: null, period: 'month', limitUsd: 0.3 } as const
  const { id: budgetId } = await createBudget(db, wanted)
  await start(holder)
  await finish(holder)
  assert.equal(await start(holder, 'proxy/2'), 'spent')
  await releaseRun(db, { ...holder, isLost: false, mask })
  const ids = { organizationId, runId: run.id }
  assert.deepEqual(standingOf(await getRun(db, ids)), ['paused', 'budget_reached', 1])
  const another = { organizationId, userId: userId ?? 1 }
  const says = new RegExp(
    `^Budget ${budgetId} of 0\\.30 USD a month is used up, until \\d{4}-\\d\\d-01T00:00:00\\.000Z\\.$`,
  )
  await assert.rejects(makeRun(db, another), { code: 'budget_reached', message: says })
  const wish = { agentType: 'scripted', repoId: null, parentRunId: null, maxCostUsd: null }
  assert.equal((await estimateRun(db, { ...wish, ...another })).blockedBy, 'budget_reached')
  const raised = await updateBudget(db, { organizationId, budgetId, limitUsd: 0.4 })
  assert.partialDeepStrictEqual(raised, { limitUsd: 0.4, spentUsd: 0.3, period: 'month' })
  assert.deepEqual(standingOf(await getRun(db, ids)), ['queued', 'capacity', 1])
  await updateBudget(db, { organizationId, budgetId, limitUsd: 0 })
  await assert.rejects(makeRun(db, another), { code: 'budget_reached' })
  await removeBudget(db, { organizationId, budgetId })
  assert.equal((await makeRun(db, another)).status, 'queued')
})

test('a budget of one user holds nobody else, and what was spent before its period does not count', async () => {
  const { run, holder } = await makeHeldRun(db)
  const { organizationId, userId } = run
  await start(holder)
  const yesterday = `update usage_days set day = day - 1 where organization_id = $1`
  await db.query(yesterday, [organizationId])
  const wanted = { organizationId, userId, repoId: null, limitUsd: 0.05 }
  const day = await createBudget(db, { ...wanted, period: 'day' })
  assert.equal(day.spentUsd, 0)
  await makeRun(db, { organizationId, userId: userId ?? 1 })
  const total = await createBudget(db, { ...wanted, period: 'total' })
  assert.deepEqual([total.spentUsd, total.renewsAt], [0.1, null])
  await assert.rejects(makeRun(db, { organizationId, userId: userId ?? 1 }), {
    code: 'budget_reached',
    message: /in all/,
  })
  const other = await one<{ id: number }>(db, `insert into users (full_name) values ('Grace') returning id`)
  assert.equal((await makeRun(db, { organizationId, userId: other.id })).status, 'queued')
})
