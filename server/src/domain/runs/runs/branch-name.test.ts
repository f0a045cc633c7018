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
  assert.ok(branchName(7, 'x'.repeat(500)).length < 80)
})

test('a name does not end within a word', () => {
  const title = 'Repair considerations concerning internationalization thoroughly'
  assert.equal(branchName(7, title), 'agent/7-repair-considerations-concerning')
})

test('a repository can have its own pattern', () => {
  assert.equal(branchName(7, 'Make it so', 'feature/{title}/{run}'), 'feature/make-it-so/7')
  assert.equal(branchName(7, '修正', 'feature/{title}/{run}'), 'feature/7')
})
