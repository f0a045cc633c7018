import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { casesOfCommit } from '../../server/test/cases-of-commit.ts'
import { findPatterns } from './find-patterns.ts'
import { provePattern } from './prove-pattern.ts'

test('listed patterns are proven anew', { timeout: 1_800_000 }, () => {
  const root = path.join(import.meta.dirname, '../..')
  const listed = readFileSync(path.join(import.meta.dirname, 'proven.txt'), 'utf8').split('\n')
  const { patterns } = findPatterns(root)
  for (const { source, flags, places } of patterns) assert.ok(listed.includes(`/${source}/${flags}`), places.join())
  for (const { source, flags, places } of casesOfCommit(patterns, 8)) {
    assert.deepEqual(provePattern(source, flags), { isLinear: true }, places.join())
  }
})
