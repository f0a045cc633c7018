import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { MemoryTurn, WorkerLost } from './memory-turn.ts'

const sandbox = {} as Sandbox
const intent = { key: 't1/a', kind: 'tool', request: { a: 1 } } as const

function counter() {
  const act = async (): Promise<Outcome<number>> => {
    const count = ++act.count
    return { response: count, entries: [{ messageType: 'ACTION', observation: `time ${count}` }] }
  }
  act.count = 0
  return act
}

test('does a finished step once', async () => {
  const turn = new MemoryTurn({ sandbox })
  const act = counter()
  assert.equal(await turn.step(intent, act), 1)
  assert.equal(await turn.step(intent, act), 1)
  assert.equal(turn.entries.length, 1)
})

test('does a step again that a lost worker had begun, and marks its entries', async () => {
  const act = counter()
  const lost = new MemoryTurn({ sandbox, loseWorkerAt: { key: 't1/a', when: 'done' } })
  await assert.rejects(lost.step(intent, act), WorkerLost)
  const next = new MemoryTurn({ sandbox, store: lost.store })
  assert.deepEqual(next.past.at(-1), { type: 'step', turn: 1, step: { ...intent, turn: 1 } })
  assert.equal(await next.step(intent, act), 2)
  assert.equal(next.entries[0]?.isRepeated, true)
})

test('asks what to do about an interrupted step that must not be repeated', async () => {
  const act = counter()
  const lost = new MemoryTurn({ sandbox, loseWorkerAt: { key: 't1/a', when: 'begun' } })
  await assert.rejects(lost.step(intent, act), WorkerLost)
  const next = new MemoryTurn({ sandbox, store: lost.store })
  const interrupted = () => ({ response: 0, entries: [] })
  assert.equal(await next.step(intent, act, { interrupted }), 0)
  assert.equal(act.count, 0)
})

test('keeps a note once and hands out each message once', async () => {
  const turn = new MemoryTurn({ sandbox, messages: ['hello'] })
  await turn.note('n', [{ messageType: 'PLAN_EVALUATION', thought: 'first' }])
  await turn.note('n', [{ messageType: 'PLAN_EVALUATION', thought: 'second' }])
  assert.deepEqual(await turn.takeMessages(), [{ text: 'hello', images: [] }])
  assert.deepEqual(await turn.takeMessages(), [])
  assert.deepEqual(
    turn.entries.map((entry) => entry.thought ?? entry.observation),
    ['first', 'hello'],
  )
})

test('ends where its signal ends it', async () => {
  const stop = new AbortController()
  const turn = new MemoryTurn({ sandbox, signal: stop.signal })
  stop.abort(new Error('stopped'))
  await assert.rejects(turn.step(intent, counter()), /stopped/)
})
