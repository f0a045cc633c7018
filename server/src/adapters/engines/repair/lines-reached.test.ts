import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFurther, linesReached } from './lines-reached.ts'

test('the lines of a test that its error names, as each language tells them', () => {
  const reached = (file: string, error: string) => linesReached({ file, error })
  assert.deepEqual(
    reached(
      'test/sum.test.js',
      'AssertionError: 3 !== 4\n    at check (file:///w/test/sum.test.js:4:10)\n    at Object.fn (file:///w/test/sum.test.js:12:3)\n    at run (node:internal/test:1:1)',
    ),
    [12, 4],
  )
  assert.deepEqual(
    reached(
      'tests/test_sum.py',
      'tests/test_sum.py:9: in test_sum\n    check(2)\ntests/test_sum.py:4: in check\nE   assert',
    ),
    [9, 4],
  )
  assert.deepEqual(
    reached('tests/test_sum.py', 'Traceback:\n  File "/w/tests/test_sum.py", line 9, in test_sum\nAssertionError'),
    [9],
  )
  assert.deepEqual(reached('sum_test.go', 'sum_test.go:12: 3\nsum_test.go:15: 4'), [12, 15])
  assert.deepEqual(reached('test_sum.py', 'timed out'), [])
})

test('further is what failed later in the text, and nothing else', () => {
  assert.equal(isFurther([12, 7], [12, 4]), true)
  assert.equal(isFurther([13], [12, 4]), true)
  assert.equal(isFurther([12, 4], [12, 4]), false)
  assert.equal(isFurther([11, 9], [12, 4]), false)
  assert.equal(isFurther([12], [12, 4]), false)
  assert.equal(isFurther([12, 4, 5], [12, 4]), false)
  assert.equal(isFurther([], [12]), false)
  assert.equal(isFurther([12], []), false)
})
