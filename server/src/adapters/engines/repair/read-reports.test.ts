import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJestReport } from './read-jest-report.ts'
import { readTap } from './read-tap.ts'

const passed = { ancestorTitles: ['cart'], title: 'is empty', status: 'passed', duration: 2, failureMessages: [] }
const failed = {
  ...passed,
  title: 'adds',
  status: 'failed',
  failureMessages: ['\u001b[31mError\u001b[39m: 1 is not 2'],
}

test("reads jest's report, by groups, without colors, and leaves skipped tests out", () => {
  const assertionResults = [passed, failed, { ...passed, status: 'pending' }]
  const report = { testResults: [{ name: '/workspace/cart.test.js', status: 'failed', assertionResults }] }
  assert.deepEqual(readJestReport(JSON.stringify(report), '/workspace'), [
    { file: 'cart.test.js', name: 'cart > is empty', isPassing: true, ms: 2, error: null },
    { file: 'cart.test.js', name: 'cart > adds', isPassing: false, ms: 2, error: 'Error: 1 is not 2' },
  ])
})

test('reads of a file that does not load, and nothing of a report that is cut in two', () => {
  const report = { testResults: [{ name: '/workspace/a.test.js', status: 'failed', message: 'SyntaxError' }] }
  const text = JSON.stringify(report)
  assert.deepEqual(readJestReport(text, '/workspace'), [
    { file: 'a.test.js', name: '', isPassing: false, ms: 0, error: 'SyntaxError' },
  ])
  for (const broken of [text.slice(0, 40), '', 'null', '{"testResults":{}}']) {
    assert.deepEqual(readJestReport(broken, '/workspace'), [])
  }
})

test('reads TAP with the details of what failed', () => {
  const text =
    'TAP version 13\nok 1 - a › adds\nnot ok 2 - a › sums\n  ---\n  at: sum.js:3:5\n  ...\nok 3 - b # SKIP\n1..3\n'
  assert.deepEqual(readTap(text, ['test/b.js', 'test/deep/a.js']), [
    { file: 'test/deep/a.js', name: 'adds', isPassing: true, ms: 0, error: null },
    { file: 'test/deep/a.js', name: 'sums', isPassing: false, ms: 0, error: 'at: sum.js:3:5\n' },
  ])
  const places = readTap('ok 1 - deep › cart › a › b\nok 2 - total\n', ['test/deep/cart.test.js', 'test.js'])
  assert.deepEqual(
    places.map(({ file, name }) => ({ file, name })),
    [
      { file: 'test/deep/cart.test.js', name: 'a › b' },
      { file: '', name: 'total' },
    ],
  )
  assert.equal(readTap('ok 1 - total › of all', ['test.js'])[0]!.file, 'test.js')
})
