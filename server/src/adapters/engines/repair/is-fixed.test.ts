import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SuiteResult, TestResult } from './suite.ts'
import { isFixed } from './is-fixed.ts'

function results(...verdicts: [name: string, isPassing: boolean][]): TestResult[] {
  return verdicts.map(([name, isPassing]) => ({ file: 'a.test.js', name, isPassing, ms: 1, error: null }))
}

function suite(exitCode: number, ...verdicts: [name: string, isPassing: boolean][]): SuiteResult {
  return { exitCode, seconds: 1, timedOut: false, tests: results(...verdicts), outputTail: '' }
}

const before = suite(1, ['good', true], ['bad', false])

test('takes a run for fixed when everything passes', () => {
  assert.equal(isFixed(before, suite(0, ['good', true], ['bad', true]), []), true)
})

test('does not when something else fails, or the command itself', () => {
  assert.equal(isFixed(before, suite(1, ['good', false], ['bad', true]), []), false)
  assert.equal(isFixed(before, suite(1, ['good', true], ['bad', true]), []), false)
})

test('does not when a test has vanished', () => {
  assert.equal(isFixed(before, suite(0, ['bad', true]), []), false)
  assert.equal(isFixed(before, suite(0, ['bad', true], ['other', true]), []), false)
})

test('overlooks flaky tests', () => {
  const after = suite(1, ['good', true], ['bad', true], ['moody', false])
  assert.equal(isFixed(before, after, ['a.test.js > moody']), true)
})

test('takes a file that did not load for fixed when its tests pass', () => {
  assert.equal(isFixed(suite(1, ['', false]), suite(0, ['one', true], ['two', true]), []), true)
})
