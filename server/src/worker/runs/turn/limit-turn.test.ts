import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { limits as all } from '#base/limits.ts'
import { getTurn } from '#domain/runs/runs/get-turn.ts'
import { updateRun } from '#domain/runs/runs/update-run.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { limitTurn, type TurnBounds } from './limit-turn.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'

const db = await testDb()
const minuteMs = 60_000

/** The limits of a turn that began so long ago. */
async function limitsOf({
  agoMs = 0,
  timeoutMinutes = 5,
  bounds = {},
}: {
  agoMs?: number
  timeoutMinutes?: number
  bounds?: Partial<TurnBounds>
}) {
  const { run, holder } = await makeHeldRun(db, { timeoutMinutes })
  const now = new Date(Date.now() + agoMs)
  const facts = await getTurn(db, holder)
  const limits = limitTurn(
    { pool: db, clock: { now: () => now } },
    { holder, facts, stop: new AbortController().signal, bounds: { ...all, ...bounds } },
  )
  const update = (changes: object) => updateRun(db, { organizationId: run.organizationId, runId: run.id, changes })
  return { limits, update, run }
}

const aborted = (signal: AbortSignal) => (signal.aborted ? undefined : once(signal, 'abort'))

test('a turn ends at its time', async () => {
  const { limits } = await limitsOf({ agoMs: 5 * minuteMs, timeoutMinutes: 5 })
  using _ = limits
  await aborted(limits.signal)
  assert.ok(limits.signal.reason instanceof TurnStopped && limits.signal.reason.why === 'timeout')
})

test('a turn that was given more time in the meantime goes on', async () => {
  const { limits, update } = await limitsOf({ agoMs: 5 * minuteMs - 300, timeoutMinutes: 5 })
  using _ = limits
  await update({ timeoutMinutes: 10 })
  while (limits.timeoutMinutes !== 10) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(limits.signal.aborted, false)
})

test('a turn that was given less time ends with its next step', async () => {
  const { limits, update } = await limitsOf({ agoMs: 5 * minuteMs, timeoutMinutes: 60 })
  using _ = limits
  await update({ timeoutMinutes: 2 })
  await limits.readSettings()
  await aborted(limits.signal)
  assert.equal(limits.timeoutMinutes, 2)
})

test('a turn is paused once its run has cost what it may', async () => {
  const { limits, update, run } = await limitsOf({ agoMs: 0, timeoutMinutes: 5 })
  using _ = limits
  await limits.checkBudget()
  await db.query('update run_heads set cost_usd = 0.5 where run_id = $1', [run.id])
  await update({ maxCostUsd: 0.51 })
  await limits.checkBudget()
  assert.equal(limits.signal.aborted, false)
  await update({ maxCostUsd: 0.5 })
  await limits.checkBudget()
  assert.ok(limits.signal.reason instanceof TurnStopped && limits.signal.reason.why === 'paused')
})

test('where the settings say that no limit applies, the money is not looked at again before the next call', async () => {
  const { limits, update, run } = await limitsOf({})
  using _ = limits
  await limits.readSettings()
  assert.equal(limits.isUnlimited, true)
  await db.query('update run_heads set cost_usd = 0.5 where run_id = $1', [run.id])
  await update({ maxCostUsd: 0.5 })
  await limits.readSettings()
  assert.equal(limits.isUnlimited, false)
  await limits.checkBudget()
  assert.ok(limits.signal.reason instanceof TurnStopped && limits.signal.reason.why === 'paused')
})

test('a turn ends when it has taken too many steps, also those before its worker was lost', async () => {
  const { limits } = await limitsOf({ bounds: { turnStepsMax: 5 } })
  using _ = limits
  limits.beginEngine({ stepsTaken: 3 })
  limits.countStep({ logBytes: 0 })
  limits.countStep({ logBytes: 0 })
  assert.equal(limits.signal.aborted, false)
  limits.countStep({ logBytes: 0 })
  assert.equal(limits.signal.reason.code, 'max_steps_reached')
})

test('a turn ends when the log of its run is full', async () => {
  const { limits } = await limitsOf({ bounds: { runLogBytesMax: 2 ** 20 } })
  using _ = limits
  limits.beginEngine({ stepsTaken: 0 })
  limits.countStep({ logBytes: 2 ** 20 - 1 })
  assert.equal(limits.signal.aborted, false)
  limits.countStep({ logBytes: 2 ** 20 })
  assert.equal(limits.signal.reason.code, 'output_limit_reached')
})

test('a turn in which nothing happens any more is stuck; what is printed is something', async () => {
  const { limits } = await limitsOf({ bounds: { stuckMs: 300 } })
  using _ = limits
  const begunAt = performance.now()
  limits.beginEngine({ stepsTaken: 0 })
  const printing = setInterval(() => limits.markProgress(), 20)
  while (performance.now() - begunAt < 600) await new Promise((resolve) => setImmediate(resolve))
  clearInterval(printing)
  assert.equal(limits.signal.aborted, false)
  await aborted(limits.signal)
  assert.equal(limits.signal.reason.code, 'stuck')
})
