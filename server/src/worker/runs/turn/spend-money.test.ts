import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#base/config/config.ts'
import { createBudget } from '#domain/runs/budgets/create-budget.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { spendMoney } from './spend-money.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'

const db = await testDb()
const config = readConfig({ RUNWRIGHT_MODEL_PRICES: 'openai/priced=1000/1000' }, { root: '/tmp' })
/** Costs 10 cents. */
const wish = {
  model: { provider: 'openai', id: 'priced' },
  prices: config.model.prices,
  inputTokens: 40,
  inputTokensMax: 40,
  outputTokens: 60,
} as const

type Held = Awaited<ReturnType<typeof makeHeldRun>>

function spendingOf({ holder }: Held) {
  const halted = new AbortController()
  const limits = { signal: halted.signal, halt: (reason: unknown) => halted.abort(reason), isUnlimited: false }
  return { ...spendMoney({ pool: db }, { holder, limits }), halt: limits.halt, signal: halted.signal }
}
const costOf = async ({ run }: Held) =>
  (await getRun(db, { organizationId: run.organizationId, runId: run.id })).usage.costUsd

test('an engine’s call takes what it may cost, and its run shows only what it has cost', async () => {
  const held = await makeHeldRun(db, { maxCostUsd: 0.5 })
  const { take, release } = spendingOf(held)
  assert.equal(await take(wish), 60)
  assert.ok(!(await costOf(held)))
  // The same step tries again.
  const lowered = (await take({ ...wish, outputTokens: 900 })) ?? Infinity
  assert.ok(lowered > 440 && lowered <= 460, `${lowered}`)
  await release()
  await release()
  assert.ok(!(await costOf(held)))
  assert.equal((await db.query('select 1 from model_calls where run_id = $1', [held.run.id])).rowCount, 0)
})

test('a call that is cut off counts as what it may have cost', async () => {
  const held = await makeHeldRun(db, { maxCostUsd: 0.15 })
  const { take, count } = spendingOf(held)
  await take(wish)
  await count()
  assert.equal(await costOf(held), 0.1)
})

test('where nothing is left the turn is paused', async () => {
  const held = await makeHeldRun(db, { maxCostUsd: 0.04 })
  const { take, signal } = spendingOf(held)
  await assert.rejects(take(wish), TurnStopped)
  assert.ok(signal.reason instanceof TurnStopped && signal.reason.why === 'paused')
})

test('two runs under one budget ask one after the other where there is money for one', async () => {
  const one = await makeHeldRun(db)
  const { organizationId } = one.run
  await createBudget(db, { organizationId, userId: null, repoId: null, period: 'day', limitUsd: 0.15 })
  const [first, second] = [spendingOf(one), spendingOf(await makeHeldRun(db, { organizationId }))]
  assert.equal(await first.take(wish), 60)
  let isTaken = false
  const waiting = second.take(wish).then((tokens) => {
    isTaken = true
    return tokens
  })
  const third = spendingOf(await makeHeldRun(db, { organizationId }))
  const leaving = third.take(wish)
  third.halt(new TurnStopped('cancelled'))
  await assert.rejects(leaving, TurnStopped)
  assert.equal(isTaken, false)
  await first.release()
  assert.equal(await waiting, 60)
  await until(() => isTaken, 'the second has its money')
})

test('a model without a price is not asked where money is limited', async () => {
  const unpriced = { ...wish, model: { provider: 'openai', id: 'my-own' } } as const
  assert.equal(await spendingOf(await makeHeldRun(db)).take({ ...unpriced, outputTokens: null }), null)
  const limited = spendingOf(await makeHeldRun(db, { maxCostUsd: 1 }))
  await assert.rejects(limited.take(unpriced), {
    name: 'EngineError',
    code: 'no_model',
    message: /RUNWRIGHT_MODEL_PRICES/,
  })
})
