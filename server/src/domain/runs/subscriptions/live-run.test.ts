import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveText } from '#domain/runs/logs/live.ts'
import { ended, newText, nothingLive, withText, type LiveRun } from './live-run.ts'

const piece = (at: number, text: string, more: Partial<LiveText> = {}): LiveText => ({
  runId: 1,
  turn: 1,
  step: 2,
  afterSeq: 3,
  kind: 'thought',
  at,
  text,
  isDone: false,
  ...more,
})
const hear = (pieces: LiveText[], live: LiveRun = nothingLive) => pieces.reduce(withText, live)

test('a reader who has all but the last piece gets that piece, shared by all', () => {
  const last = piece(4, 'two')
  const { text } = hear([piece(0, 'one '), last])
  assert.equal(newText(text!, 1), last)
})

test('one who is further behind gets all that is missing at once, also where it was changed', () => {
  const { text } = hear([piece(0, 'one '), piece(4, 'sec'), piece(4, '[redacted] '), piece(15, 'end')])
  assert.deepEqual(newText(text!, 1), piece(4, '[redacted] end'))
  assert.deepEqual(newText(text!, 0), piece(0, 'one [redacted] end'))
})

test('a gap begins the text anew, and so does another text', () => {
  assert.deepEqual(hear([piece(0, 'one'), piece(90, 'late')]).text?.whole, piece(90, 'late'))
  const answer = piece(0, 'Done', { kind: 'answer' })
  assert.deepEqual(hear([piece(0, 'one'), answer]).text?.whole, answer)
})

test('hundreds of pieces that nobody took are one', () => {
  const { text } = hear(Array.from({ length: 500 }, (_, n) => piece(n, String(n % 10))))
  assert.equal(newText(text!, 0).text.length, 500)
  assert.deepEqual(newText(text!, 490), piece(490, '0123456789'))
  assert.equal(newText(text!, 100).at, 0)
})

test('versions go on over the end of a turn', () => {
  const live = hear([piece(0, 'one')])
  assert.equal(hear([piece(0, 'next', { step: 9 })], ended(live)).text?.version, 2)
})
