import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findClosedIssues, findConcernedIssues } from './find-closed-issues.ts'

test('the words that close issues count where people read them', () => {
  assert.deepEqual(
    findClosedIssues('Fixes #12 and closes: #3.\nResolved #12; it fixes nothing of #4, prefix #5'),
    [12, 3],
  )
  assert.deepEqual(findClosedIssues('```\nfixes #1\n```\n`closes #2`\n> resolves #3\n<!-- fixes #4 -->'), [])
  assert.deepEqual(findClosedIssues('fixes acme/other#7, fixes #8x'), [])
  assert.deepEqual(findConcernedIssues('Part of #9, see #1'), [9, 1])
})
