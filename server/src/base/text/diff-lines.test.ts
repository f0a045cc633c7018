import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { diffLines } from './diff-lines.ts'

const lines = (...numbers: number[]) => numbers.map((number) => `line ${number}\n`).join('')
const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9)

test('git can apply what it says', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'diff-test-'))
  const changes = [
    lines(1, 2, 3, 4, 50, 6, 7, 8, 9),
    lines(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    lines(1, 2, 3, 4, 5, 6, 7, 8),
    lines(1, 5, 9, 10),
    lines(9, 8),
  ]
  for (const after of changes) {
    writeFileSync(path.join(folder, 'a.txt'), before)
    execFileSync('git', ['apply', '-'], { cwd: folder, input: diffLines('a.txt', before, after).diff })
    assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), after)
  }
  rmSync(folder, { recursive: true })
})

test('nothing changed is no diff', () => {
  assert.equal(diffLines('a.txt', before, before).diff, '')
})
