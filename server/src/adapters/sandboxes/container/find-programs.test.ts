import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { findPrograms } from './find-programs.ts'

test('shows containers our own programs where they are', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'programs-'))
  assert.equal(findPrograms(folder, { isInContainer: false }).node, process.execPath)
  assert.deepEqual(readdirSync(folder), [])
})

test('copies them once to the data folder where the service is in a container itself', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'programs-'))
  const { node, ripgrep, agent } = findPrograms(folder, { isInContainer: true })
  for (const file of [node, ripgrep!, agent]) assert.ok(file.startsWith(folder), file)
  assert.match(execFileSync(node, ['--version'], { encoding: 'utf8' }), /^v\d/)
  assert.match(execFileSync(ripgrep!, ['--version'], { encoding: 'utf8' }), /^ripgrep /)
  assert.deepEqual(findPrograms(folder, { isInContainer: true }), { node, ripgrep, agent })
  assert.equal(readdirSync(path.join(folder, '.programs')).length, 3)
})
