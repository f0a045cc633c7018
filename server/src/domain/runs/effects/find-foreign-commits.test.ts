import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findForeignCommits } from './find-foreign-commits.ts'

const moves = (...commits: (string | null)[]) =>
  commits.slice(1).map((commit, index) => ({ expected: commits[index] ?? null, commit: commit! }))

test('what a run has pushed itself is nobody else’s, however often it goes to and fro', () => {
  assert.deepEqual(findForeignCommits([], null), [])
  assert.deepEqual(findForeignCommits(moves(null, 'a', 'b', 'a', 'b'), 'b'), [])
})

test('where a run found its branch without having pushed it there, somebody else has', () => {
  assert.deepEqual(findForeignCommits([], 'theirs'), ['theirs'])
  const found = [...moves(null, 'a'), ...moves('theirs', 'b', 'c')]
  assert.deepEqual(findForeignCommits(found, 'c'), ['theirs'])
  assert.deepEqual(findForeignCommits(found, 'more'), ['theirs', 'more'])
})

test('a run does not make the work of others its own by pushing it back', () => {
  const back = moves('theirs', 'a', 'theirs')
  assert.deepEqual(findForeignCommits(back, 'theirs'), ['theirs'])
  assert.deepEqual(findForeignCommits([...back, ...moves('theirs', 'b')], 'b'), ['theirs'])
})
