import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one } from '#db/pool.ts'
import { createBudget } from '#domain/runs/budgets/create-budget.ts'
import { removeBudget } from '#domain/runs/budgets/remove-budget.ts'
import { updateBudget } from '#domain/runs/budgets/update-budget.ts'
import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { continueRun } from '#domain/runs/runs/continue-run.ts'
import { estimateRun } from '#domain/runs/runs/estimate-run.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { pauseRun } from '#domain/runs/runs/pause-run.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { updateRun } from '#domain/runs/runs/update-run.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { listUsage } from '#domain/runs/usage/list-usage.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { makeUsage } from '#test/make-usage.ts'
import { testDb } from '#test/test-db.ts'
import type { CallWish } from './allot-call.ts'
import { finishModelCall } from './finish-model-call.ts'
import { startModelCall } from './start-model-call.ts'

const db = await testDb()
const mask = openRedactor([]).mask
/** Costs 10 cents: 40 tokens to read, and 60 to write. */
const wish: CallWish = {
  model: { provider: 'anthropic', id: 'claude-sonnet-4-5' },
  prices: [{ model: 'anthropic/claude-sonnet-4-5', inputUsd: 1_000, outputUsd: 1_000 }],
  inputTokens: 40,
  inputTokensMax: 40,
  outputTokens: 60,
  answers: 1,
}
const begin = (holder: Holder, key = 'proxy/1', more: Partial<CallWish> = {}) =>
  startModelCall(db, { holder, key, wish: { ...wish, ...more } })
const start = async (holder: Holder, key?: string) => (await begin(holder, key)).outcome
const usage = makeUsage({ inputTokens: 50, cacheReadTokens: 30, outputTokens: 7, costUsd: 0.3, priceSource: 'a table' })
const finish = (holder: Holder, key = 'proxy/1') => finishModelCall(db, { ...holder, key, usage, isEstimated: false })

const usageOf = async ({ organizationId, runId }: Holder) => (await getRun(db, { organizationId, runId })).usage
const sumsOf = async ({ organizationId }: Holder) =>
  (await listUsage(db, { organizationId, groups: ['model'], skip: 0, limit: 100 })).items

test('a call counts from its beginning, and in the end for what it used', async () => {
  const { holder } = await makeHeldRun(db)
  assert.equal(await start(holder), 'started')
  assert.deepEqual(await usageOf(holder), { inputTokens: 40, cachedInputTokens: 0, outputTokens: 60, costUsd: 0.1 })
  assert.partialDeepStrictEqual(await sumsOf(holder), [{ calls: 1, inputTokens: 40, outputTokens: 60, costUsd: 0.1 }])
  await finish(holder)
  // Sent again because its answer was lost.
  await finish(holder)
  assert.deepEqual(await usageOf(holder), { inputTokens: 50, cachedInputTokens: 30, outputTokens: 7, costUsd: 0.3 })
  assert.partialDeepStrictEqual(await sumsOf(holder), [{ calls: 1, inputTokens: 50, outputTokens: 7, costUsd: 0.3 }])
})

test('a call that used nothing was never made', async () => {
  const { holder } = await makeHeldRun(db)
  await start(holder)
  const nothing = { ...holder, key: 'proxy/1', usage: null, isEstimated: false }
  await finishModelCall(db, nothing)
  await finishModelCall(db, nothing)
  assert.deepEqual(await usageOf(holder), { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null })
  assert.deepEqual(await sumsOf(holder), [])
})

test('an engine’s calls and those of programs inside are one sum, whichever order they end in', async () => {
  const { holder } = await makeHeldRun(db)
  await start(holder)
  const { step } = await startStep(db, { holder, key: 't1/model/1', kind: 'model', request: {} })
  await finishStep(db, { holder, step, response: null, entries: [], usage, mask })
  await finish(holder)
  assert.deepEqual(await usageOf(holder), { inputTokens: 100, cachedInputTokens: 60, outputTokens: 14, costUsd: 0.6 })
  assert.partialDeepStrictEqual(await sumsOf(holder), [{ calls: 2, inputTokens: 100, outputTokens: 14, costUsd: 0.6 }])
  const calls = await db.query(
    'select key, is_estimated, price_source, ended_at is not null as ended from model_calls where run_id = $1 order by key',
    [holder.runId],
  )
  const report = { is_estimated: false, price_source: 'a table', ended: true }
  assert.deepEqual(calls.rows, [
    { key: 'proxy/1', ...report },
    { key: 't1/model/1', ...report },
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
  assert.deepEqual(
    [
      outcomes.filter((outcome) => outcome === 'started').length,
      outcomes.filter((outcome) => outcome === 'wait').length,
    ],
    [4, 16],
  )
  assert.equal((await usageOf(holder)).costUsd, 0.4)
})

test('of fifty runs at once that ask for the last of a budget, exactly so many begin as it holds', async () => {
  const { run, holder } = await makeHeldRun(db)
  const { organizationId } = run
  await createBudget(db, { organizationId, userId: null, repoId: null, period: 'month', limitUsd: 0.75 })
  const others = await Promise.all(Array.from({ length: 49 }, () => makeHeldRun(db, { organizationId })))
  const holders = [holder, ...others.map((other) => other.holder)]
  const outcomes = await Promise.all(holders.map((one) => start(one)))
  assert.equal(outcomes.filter((outcome) => outcome === 'started').length, 7)
  assert.equal(outcomes.filter((outcome) => outcome === 'wait').length, 43)
  // What those have used that have ended is less, so that there is room again.
  const first = holders[outcomes.indexOf('started')]!
  await finishModelCall(db, { ...first, key: 'proxy/1', usage: null, isEstimated: false })
  const again = await Promise.all(holders.map((one) => start(one, 'proxy/2')))
  assert.equal(again.filter((outcome) => outcome === 'started').length, 1)
})

test('a call that does not fit goes alone, with what is left for its answer', async () => {
  const { holder } = await makeHeldRun(db, { maxCostUsd: 1 })
  const large = { inputTokens: 100, inputTokensMax: 900, outputTokens: 50_000 }
  const first = await begin(holder, 'proxy/1', large)
  assert.partialDeepStrictEqual(first, { outcome: 'started', outputTokens: 900 })
  assert.equal(await start(holder, 'proxy/2'), 'wait')
  await finish(holder)
  // 0.30 of it was used.
  const next = await begin(holder, 'proxy/2', { ...large, outputTokens: null })
  assert.partialDeepStrictEqual(next, { outcome: 'started', outputTokens: 600 })
  await finish(holder, 'proxy/2')
  const last = await begin(holder, 'proxy/3', { ...large, inputTokens: 200 })
  assert.deepEqual([last.outcome, (await getRun(db, holder)).statusDetail], ['spent', 'budget_reached'])
})

test('several answers to one question cost as much as all of them', async () => {
  const { holder } = await makeHeldRun(db, { maxCostUsd: 0.45 })
  const call = await begin(holder, 'proxy/1', { answers: 4, outputTokens: 500 })
  assert.partialDeepStrictEqual(call, { outcome: 'spent' })
  const small = await begin(holder, 'proxy/2', { answers: 4 })
  assert.partialDeepStrictEqual(small, { outcome: 'started', outputTokens: 60, most: { outputTokens: 240 } })
})

test('without a limit in money nothing is cut, and one whose price nobody knows is asked', async () => {
  const { run, holder } = await makeHeldRun(db)
  const unpriced: Partial<CallWish> = { model: { provider: 'openai', id: 'local-1' }, prices: [] }
  assert.partialDeepStrictEqual(await begin(holder, 'proxy/1', { outputTokens: null }), { outputTokens: null })
  assert.equal((await begin(holder, 'proxy/2', unpriced)).outcome, 'started')
  await finish(holder)
  await updateRun(db, { organizationId: run.organizationId, runId: run.id, changes: { maxCostUsd: 5 } })
  assert.equal((await begin(holder, 'proxy/3', unpriced)).outcome, 'unpriced')
  const free = [{ model: 'openai/*', inputUsd: 0, outputUsd: 0 }]
  assert.equal((await begin(holder, 'proxy/4', { ...unpriced, prices: free })).outcome, 'started')
})

test('what a worker that was lost may have spent is spent, and nobody waits for it', async () => {
  const { run, holder } = await makeHeldRun(db, { maxCostUsd: 1 })
  await begin(holder, 'proxy/1', { outputTokens: 950 })
  assert.equal(await start(holder, 'proxy/2'), 'wait')
  await releaseRun(db, { ...holder, isLost: true, mask })
  const leaseId = randomUUID()
  await db.query(
    `update run_heads set status = 'in_progress', lease_id = $2, worker_id = (select id from workers limit 1) where run_id = $1`,
    [run.id, leaseId],
  )
  assert.equal(await start({ ...holder, leaseId }, 'proxy/2'), 'spent')
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
  await finish(holder)
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
  const request = { organizationId, userId: null, repoId: null, period: 'month', limitUsd: 0.3 } as const
  const { id: budgetId } = await createBudget(db, request)
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
  const request = { organizationId, userId, repoId: null, limitUsd: 0.05 }
  const day = await createBudget(db, { ...request, period: 'day' })
  assert.equal(day.spentUsd, 0)
  await makeRun(db, { organizationId, userId: userId ?? 1 })
  const total = await createBudget(db, { ...request, period: 'total' })
  assert.deepEqual([total.spentUsd, total.renewsAt], [0.1, null])
  await assert.rejects(makeRun(db, { organizationId, userId: userId ?? 1 }), {
    code: 'budget_reached',
    message: /in all/,
  })
  const other = await one<{ id: number }>(db, `insert into users (full_name) values ('Grace') returning id`)
  assert.equal((await makeRun(db, { organizationId, userId: other.id })).status, 'queued')
})
