import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redaction/redactor.ts'
import { diagnoseCheck, type DiagnoseCheck } from './diagnose-check.ts'

const { mask } = openRedactor([{ name: 'TOKEN', value: 'the-secret-of-a-test' }])
const check = { name: 'test', app: 'github-actions', conclusion: 'failure', summary: null, mask }
const broken = '--- FAIL: TestSum (0.01s)\n    sum_test.go:9: got 3\nFAIL\texample.com/app/sum\t0.004s\n'
const verdictOf = (options: Partial<DiagnoseCheck>) => diagnoseCheck({ ...check, log: broken, ...options }).verdict

test('a failing test is fixed by a change of files', () => {
  const diagnosis = diagnoseCheck({ ...check, log: broken })
  assert.partialDeepStrictEqual(diagnosis, {
    name: 'test',
    conclusion: 'failure',
    verdict: 'fixable',
    cause: 'tests_failed',
  })
  assert.match(diagnosis.excerpt, /got 3/)
})

test('networks, disks, registries and lost runners are nobody’s code', () => {
  for (const log of [
    'npm error code ENOTFOUND',
    'npm ERR! code ENOSPC',
    'npm error code E503',
    '##[error]The runner has received a shutdown signal.',
  ])
    assert.equal(verdictOf({ log }), 'infra', log)
  for (const conclusion of ['startup_failure', 'stale', 'cancelled']) assert.equal(verdictOf({ conclusion }), 'infra')
})

test('a time limit is chance the first time, and the code’s the second', () => {
  const log = 'panic: test timed out after 10m0s'
  assert.equal(verdictOf({ log }), 'flaky')
  assert.equal(verdictOf({ log, isSecondTry: true }), 'fixable')
  assert.equal(verdictOf({ log: '', conclusion: 'timed_out' }), 'flaky')
  assert.equal(verdictOf({ log: '', conclusion: 'timed_out', isSecondTry: true }), 'fixable')
})

test('what fails alike where the pull request begins is not from it', () => {
  const later = broken.replaceAll('0.01s', '0.93s').replaceAll('0.004s', '0.101s')
  assert.equal(verdictOf({ onBase: { conclusion: 'failure', summary: null, log: later } }), 'not_from_this_pr')
  assert.equal(verdictOf({ onBase: { conclusion: 'success', summary: null, log: later } }), 'fixable')
  const another = broken.replaceAll('TestSum', 'TestMul')
  assert.equal(verdictOf({ onBase: { conclusion: 'failure', summary: null, log: another } }), 'fixable')
})

test('titles, labels and signatures are outside of the files', () => {
  for (const name of [
    'Semantic PR',
    'PR title',
    'Check labels',
    'license/cla',
    'DCO',
    'WIP',
    'conventional-commits',
    'required label',
  ])
    assert.equal(verdictOf({ name }), 'external_metadata', name)
  for (const name of ['test', 'build (label=linux)', 'unit-tests', 'lint', 'decode', 'classify'])
    assert.equal(verdictOf({ name }), name.includes('label=') ? 'external_metadata' : 'fixable', name)
  assert.equal(verdictOf({ app: 'dco' }), 'external_metadata')
  assert.equal(verdictOf({ conclusion: 'action_required' }), 'external_metadata')
})

test('secrets are taken out before anything is cut, and its summary stands for a log that is not kept', () => {
  const { excerpt, errors, name } = diagnoseCheck({
    ...check,
    name: 'the-secret-of-a-test',
    log: 'error: the-secret-of-a-test',
  })
  assert.deepEqual(
    [excerpt, errors, name],
    ['error: [redacted:TOKEN]', ['error: [redacted:TOKEN]'], '[redacted:TOKEN]'],
  )
  const text = diagnoseCheck({ ...check, log: null, summary: 'error: 2 problems' })
  assert.deepEqual([text.excerpt, text.verdict], ['error: 2 problems', 'fixable'])
})
