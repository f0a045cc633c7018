import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchName } from './branch-name.ts'

test('a branch is named after the run and its title', () => {
  assert.equal(branchName(7, 'Make the failing test pass'), 'agent/7-make-the-failing-test-pass')
})

test('any title makes a valid ref', () => {
  assert.equal(branchName(7, 'Größe ~ des..Baums^{} @{u} .lock'), 'agent/7-gro-e-des-baums-u-lock')
  assert.equal(branchName(7, '修正'), 'agent/7')
  assert.ok(branchName(7, 'word '.repeat(500)).length < 80)
})
