import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { lowerPriority } from './lower-priority.ts'

test('a process comes after ours, by itself and as a session of its own', (t) => {
  const start = (detached: boolean) => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore', detached })
    t.after(() => child.kill('SIGKILL'))
    return child
  }
  const hasSessions = existsSync('/proc/self/autogroup')
  const sessionOf = (pid: number | string) => readFileSync(`/proc/${pid}/autogroup`, 'utf8')
  // Nothing stands there for a process that is in no session's group, as on a machine without a login.
  const before = hasSessions && sessionOf('self')
  const [within, own] = [start(false), start(true)]
  lowerPriority(within)
  lowerPriority(own, { hasOwnSession: true })
  assert.deepEqual([getPriority(within.pid), getPriority(own.pid), getPriority()], [5, 5, 0])
  if (!hasSessions) return
  assert.match(sessionOf(own.pid!), / nice 5$/m)
  assert.equal(sessionOf('self'), before, 'the session that it was started from is as it was')
})

test('one that has ended already is no error', () => {
  assert.doesNotThrow(() => lowerPriority({ pid: 2 ** 22 - 1 }, { hasOwnSession: true }))
})
