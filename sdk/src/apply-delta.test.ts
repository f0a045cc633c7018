import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyDelta, type WrittenText } from './apply-delta.ts'

const delta = (at: number, text: string, more = {}) =>
  ({ agent_run_id: 1, step: 2, turn: 1, kind: 'thought', at, text, done: false, ...more }) as const

const apply = (...deltas: ReturnType<typeof delta>[]) =>
  deltas.reduce<WrittenText | null>((known, one) => applyDelta(known, one), null)

test('pieces make the text, and one may take back the end of what was there', () => {
  const written = apply(delta(0, 'The key is cor'), delta(11, '[redacted]'), delta(21, '.', { done: true }))
  assert.deepEqual(written, { step: 2, kind: 'thought', base: 0, text: 'The key is [redacted].', done: true })
})

test('whoever comes late knows that a beginning is missing', () => {
  assert.deepEqual(apply(delta(40, 'later '), delta(46, 'on')), {
    step: 2,
    kind: 'thought',
    base: 40,
    text: 'later on',
    done: false,
  })
})

test('a text that begins before what is known, and another one, begin anew', () => {
  assert.equal(apply(delta(40, 'end'), delta(0, 'all of it and the end'))?.text, 'all of it and the end')
  assert.equal(apply(delta(0, 'one'), delta(0, 'two', { step: 3 }))?.text, 'two')
})
