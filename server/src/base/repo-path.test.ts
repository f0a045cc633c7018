import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRepoPath, repoPath } from './repo-path.ts'

test('a path says of whom and of which host a repository is', () => {
  const places = [
    { organizationId: 7, host: 'local', repoId: 12 },
    { organizationId: 7, host: 'github', repoId: 12 },
  ]
  assert.deepEqual(places.map(repoPath), ['7/12.git', '7/github-12.git'])
  assert.deepEqual(places.map(repoPath).map(readRepoPath), places)
})

test('what a run without a repository works in is no repository of the organization, nor is any other path', () => {
  for (const path of [
    '7/run-12.git',
    '7/12',
    '07/12.git',
    '7/../12.git',
    '7/github-012.git',
    '../etc',
    '7/-12.git',
    '',
  ])
    assert.equal(readRepoPath(path), null, path)
})
