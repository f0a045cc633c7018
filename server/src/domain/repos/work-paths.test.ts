import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInCone, whyNotPath } from './work-paths.ts'

test('a folder of a repository is one, and what leads elsewhere or means more to git is none', () => {
  for (const path of ['services/api', 'a b', '.github', 'ümlaut/x']) assert.equal(whyNotPath(path), null, path)
  for (const path of [
    '',
    '/',
    '/etc',
    '..',
    'a/../b',
    './a',
    'a//b',
    '-x',
    'a\nb',
    '*',
    'a[b',
    '!a\\',
    '"a"',
    '.git',
    'a/.git/b',
    'x'.repeat(501),
  ])
    assert.ok(whyNotPath(path), path)
})

test('a cone holds its folders and the files beside and above them', () => {
  const paths = ['services/api', 'libs']
  for (const path of ['README.md', 'services/go.work', 'services/api/a', 'services/api/deep/a', 'libs/a/b'])
    assert.equal(isInCone(path, paths), true, path)
  for (const path of ['web/a', 'services/web/a', 'services/apis/a']) assert.equal(isInCone(path, paths), false, path)
  assert.equal(isInCone('any/where', []), true)
})
