import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVerdicts } from './compare-verdicts.ts'
import type { TestResult } from './suite.ts'

const one = (name: string, error: string | null = null): TestResult => ({
  file: 'a.test.js',
  name,
  isPassing: error === null,
  ms: 1,
  error,
})
const many = Array.from({ length: 9 }, (_, at) => one(`good ${at}`))
const fresh = [...many, one('bad', 'expected 1 to be 2')]
const compare = (warm: TestResult[], of = fresh) => compareVerdicts(of, warm, new Set())

test('the bench counts where it says what the command says, in the words of the same runner or not', () => {
  assert.deepEqual(compare([...many, one('bad', 'AssertionError: 1 != 2')]), {
    isWarm: true,
    differing: [],
    unasked: [],
  })
  assert.equal(compare([...many, one('bad')]).isWarm, false)
  assert.equal(compare(many).isWarm, false)
  assert.equal(compare([one('one'), one('two', 'no')], [one('', 'SyntaxError')]).isWarm, true)
})

test('a test that only its runner can run is left to it, and all are where many differ', () => {
  const snapshot = one('good 0', 'Invalid Chai property: toMatchSnapshot')
  const warm = [snapshot, ...many.slice(1), one('bad', 'expected 1 to be 2')]
  assert.deepEqual(compare(warm), {
    isWarm: true,
    differing: ['a.test.js > good 0'],
    unasked: [],
  })
  const others = many.map(({ name }, at) => one(name, at < 3 ? 'no' : null))
  assert.equal(compare([...others, one('bad', 'expected 1 to be 2')]).isWarm, false)
})

test('a failing test that fails in the bench for want of something is no failing test there', () => {
  const warm = (error: string) => compare([...many, one('bad', error)]).isWarm
  assert.equal(warm('ReferenceError: document is not defined'), false)
  assert.equal(warm('TypeError: vi.useFakeTimers is not a function'), false)
  const [lost] = [one('bad', 'ReferenceError: total is not defined')]
  assert.equal(compare([...many, lost], [...many, lost]).isWarm, true)
})

test('a test that was ended for its time while it was watched is no other verdict', () => {
  const warm = [one('good 0', 'timed out after 2 s'), ...many.slice(1), one('bad', 'expected 1 to be 2')]
  assert.deepEqual(compare(warm), {
    isWarm: true,
    differing: ['a.test.js > good 0'],
    unasked: [],
  })
})

test('of the failing tests those are asked that fail in the bench, too', () => {
  const two = [...many, one('bad', 'expected 1 to be 2'), one('slow', 'timed out after 16 s')]
  const warm = [...many, one('bad', 'expected 1 to be 2'), one('slow')]
  assert.deepEqual(compare(warm, two), { isWarm: true, differing: [], unasked: ['a.test.js > slow'] })
})
