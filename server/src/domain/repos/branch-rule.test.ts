import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayForcePush, ruleOf, type BranchRule } from './branch-rule.ts'

const rule = (pattern: string, more: Partial<BranchRule> = {}): BranchRule => ({
  pattern,
  requirePull: false,
  requiredChecks: [],
  requiredApprovals: 0,
  allowForcePush: false,
  ...more,
})

test('the first rule counts that covers a branch', () => {
  const rules = [rule('release/1.*'), rule('release/*'), rule('main')]
  const covered = ['main', 'release/1.2', 'release/2', 'mains', 'my/main', 'release', 'a/release/1.0']
  assert.deepEqual(
    covered.map((branch) => ruleOf(rules, branch)?.pattern),
    ['main', 'release/1.*', 'release/*', undefined, undefined, undefined, undefined],
  )
})

test('without a rule only commits of the default branch stay for good; a rule says it for its branches', () => {
  const repo = { defaultBranch: 'main', branchRules: [rule('main', { allowForcePush: true }), rule('kept')] }
  assert.deepEqual(
    ['main', 'kept', 'other'].map((branch) => mayForcePush(repo, branch)),
    [true, false, true],
  )
  assert.equal(mayForcePush({ ...repo, branchRules: [] }, 'main'), false)
})
