import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchPath } from '#base/text/match-path.ts'
import { whyNeedsPerson } from './why-needs-person.ts'

test('a pattern covers what people expect of it', () => {
  const covered: [pattern: string, path: string][] = [
    ['.github/**', '.github/workflows/ci.yml'],
    ['.github', '.github/workflows/ci.yml'],
    ['infra/', 'infra/a/b.tf'],
    ['infra/', 'deep/infra/b.tf'],
    ['/Makefile', 'Makefile'],
    ['Makefile', 'tools/Makefile'],
    ['*.tf', 'a/b/main.tf'],
    ['src/*/secret.ts', 'src/a/secret.ts'],
    ['src/**/secret.ts', 'src/secret.ts'],
    ['src/**/secret.ts', 'src/a/b/c/secret.ts'],
    ['**/migrations/*.sql', 'server/src/db/migrations/1.sql'],
    ['file-?.txt', 'file-1.txt'],
    ['**', 'anything'],
  ]
  for (const [pattern, path] of covered) assert.ok(matchPath(pattern, path), `${pattern} ${path}`)
  const open: [pattern: string, path: string][] = [
    ['.github/**', 'docs/.github/x'],
    ['/Makefile', 'tools/Makefile'],
    ['infra/', 'infrastructure/x'],
    ['*.tf', 'main.tfx'],
    ['src/*/secret.ts', 'src/a/b/secret.ts'],
    ['file-?.txt', 'file-12.txt'],
    ['a.c', 'abc'],
    ['[ab]', 'a'],
  ]
  for (const [pattern, path] of open) assert.ok(!matchPath(pattern, path), `${pattern} ${path}`)
})

test('a pattern that is made to be slow is not', () => {
  const begun = performance.now()
  assert.ok(!matchPath('*a'.repeat(100) + 'b', 'a'.repeat(4_000)))
  assert.ok(!matchPath('**/a/'.repeat(50) + 'b', 'a/'.repeat(2_000) + 'c'))
  assert.ok(performance.now() - begun < 10_000)
})

test('an agent hears which paths it may not change, by which pattern, and what a person can do', () => {
  const policy = { needsPerson: ['.github/**', '*.tf'] }
  const files = ['src/a.ts', '.github/workflows/ci.yml', 'main.tf'].map((path) => ({ path, bytes: 1 }))
  assert.equal(
    whyNeedsPerson(policy, files),
    'Only a person may change .github/workflows/ci.yml (by ".github/**"), main.tf (by "*.tf"). Leave them as the base branch has them. A person may push this, or change "push" in .runwright.yml on the base branch.',
  )
  assert.equal(whyNeedsPerson(policy, files.slice(0, 1)), null)
  const many = Array.from({ length: 13 }, (_, n) => ({ path: `${n}.tf`, bytes: 0 }))
  assert.match(whyNeedsPerson(policy, many)!, /9\.tf \(by "\*\.tf"\) and 3 more\./)
})

test('what is too much at once needs a person too', () => {
  const files = [
    { path: 'a', bytes: 600 },
    { path: 'b', bytes: 500 },
  ]
  assert.equal(whyNeedsPerson({ needsPerson: [], bytesMax: 1_100, filesMax: 2 }, files), null)
  assert.match(
    whyNeedsPerson({ needsPerson: [], bytesMax: 1_099 }, files)!,
    /have 1100 bytes, .* files of 1099 at once/,
  )
  assert.match(whyNeedsPerson({ needsPerson: [], filesMax: 1 }, files)!, /changes 2 files, and an agent may change 1/)
})
