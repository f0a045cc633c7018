import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verdict } from './trial.ts'
import { Turns } from './turns.ts'

type Tried = { at: number; patience: string }

/** All that has its turn, where a try of each line takes so many milliseconds. */
function takeAll(
  lines: number[],
  msOf: (line: number) => number,
  verdictOf: (line: number) => Verdict = () => 'fails',
) {
  const turns = new Turns(lines.map((line) => ({ file: 'a.py', line })))
  const queue = { next: 0 }
  const taken: Tried[] = []
  for (let turn = turns.take(queue); turn; turn = turns.take(queue)) {
    taken.push(turn)
    const isAnew = lines[turn.at] === ANEW
    turns.note(turn, { verdict: verdictOf(lines[turn.at]!), isAnew }, msOf(lines[turn.at]!), true)
  }
  assert.equal(turns.left, 0)
  return taken
}

/** Changes of this line have the tests loaded anew. */
const ANEW = 2

const repeat = (count: number, line: number) => Array<number>(count).fill(line)

test('what takes as long as the rest has its turn by its place', () => {
  const taken = takeAll([1, 2, 3, 1, 2, 3], () => 500)
  assert.deepEqual(
    taken.map(({ at }) => at),
    [0, 1, 2, 3, 4, 5],
  )
})

test('what takes many times longer is given a quarter of the time, and comes all the same', () => {
  const lines = [...repeat(30, 1), ...repeat(100, ANEW), ...repeat(1000, 1)]
  const taken = takeAll(lines, (line) => (line === ANEW ? 400 : 20)).map(({ at }) => at)
  assert.deepEqual(
    taken.toSorted((a, b) => a - b),
    lines.map((_, at) => at),
  )
  // 33 have shown that the line is slow.
  const slowBefore = taken.slice(0, 533).filter((at) => lines[at] === ANEW).length
  assert.ok(slowBefore > 8 && slowBefore < 20, `${slowBefore} of the slow ones came among the first 533`)
})

test('a slow test makes no line slow', () => {
  const lines = [...repeat(30, 1), ...repeat(30, 3), ...repeat(30, 1)]
  const taken = takeAll(lines, (line) => (line === 3 ? 400 : 20))
  assert.deepEqual(
    taken.map(({ at }) => at),
    lines.map((_, at) => at),
  )
})

test('one slow try says nothing of a line', () => {
  let tries = 0
  const lines = [...repeat(30, 1), ...repeat(30, ANEW)]
  const taken = takeAll(lines, (line) => (line === ANEW && tries++ % 3 === 0 ? 2_000 : 20))
  assert.deepEqual(
    taken.map(({ at }) => at),
    lines.map((_, at) => at),
  )
})

test('what did not end comes again with its full time, later', () => {
  const lines = [...repeat(5, 1), 2, ...repeat(300, 1)]
  const taken = takeAll(
    lines,
    () => 20,
    (line) => (line === 2 ? 'hangs' : 'fails'),
  )
  const again = taken.findIndex(({ patience }) => patience === 'full')
  assert.equal(taken[again]!.at, 5)
  assert.ok(again > 200 && again < 300, `as number ${again}`)
})
