import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { removeForeignLock } from './remove-foreign-lock.ts'

const data = mkdtempSync(path.join(os.tmpdir(), 'runwright-lock-'))
after(() => rm(data, { recursive: true }))
const lock = path.join(data, 'postmaster.pid')

/** Whether the lock is still there. */
function isKept(content: string, ageSeconds = 0): boolean {
  writeFileSync(lock, content)
  const at = Date.now() / 1000 - ageSeconds
  utimesSync(lock, at, at)
  removeForeignLock(data)
  assert.deepEqual(readdirSync(data), existsSync(lock) ? ['postmaster.pid'] : [])
  return existsSync(lock)
}

test('a lock that a server has just made, and not yet written its number into, stays', () => {
  assert.ok(isKept(''))
})

test('one that stays empty is what a killed server has left, and goes', () => {
  assert.ok(!isKept('', 60))
})

test('one of another program goes; one of a program that is gone is left to PostgreSQL', () => {
  assert.ok(!isKept(`${process.pid}\n`))
  const { pid } = spawnSync('true')
  assert.ok(isKept(`${pid}\n`))
})

test('without a lock nothing is done', () => {
  removeForeignLock(path.join(data, 'nowhere'))
})
