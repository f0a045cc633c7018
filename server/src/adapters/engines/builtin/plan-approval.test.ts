import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePlan } from './describe-plan.ts'
import { isApproval } from './is-approval.ts'

test('people approve a plan in their own words, and what goes beyond them is a change', () => {
  for (const words of ['approve', 'Yes.', ' yes, please!\n', 'LGTM', 'Looks good to me', 'ok', '👍'])
    assert.ok(isApproval(words), words)
  for (const words of ['', 'no', 'not ok', 'yes, but leave the tests', 'approve nothing', `yes${' '.repeat(200)}no`])
    assert.equal(isApproval(words), false, words)
})

test('the person who approves sees reasons, files and risks', () => {
  const steps = [
    { text: 'Look', status: 'pending' },
    { text: 'Fix', status: 'pending' },
  ]
  assert.equal(describePlan({ steps }), '1. Look\n2. Fix')
  assert.equal(
    describePlan({ steps, reason: 'It is the least.', files: ['a.ts'], risks: ['None known'] }),
    'It is the least.\n\n1. Look\n2. Fix\n\nFiles:\n- a.ts\n\nRisks:\n- None known',
  )
})
