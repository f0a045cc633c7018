import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findPatterns } from './find-patterns.ts'
import { provePattern } from './prove-pattern.ts'

test('every listed pattern is proven anew', { timeout: 1_800_000 }, () => {
  const root = path.join(import.meta.dirname, '../..')
  const listed = readFileSync(path.join(import.meta.dirname, 'proven.txt'), 'utf8').split('\n')
  for (const { source, flags, places } of findPatterns(root).patterns) {
    assert.ok(listed.includes(`/${source}/${flags}`), places.join())
    assert.deepEqual(provePattern(source, flags), { isLinear: true }, places.join())
  }
})
