import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { limits } from '#base/limits.ts'
import { roll } from '#test/chaos/roll.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-roll-'))
chmodSync(dataDir, 0o711)
after(() => rm(dataDir, { recursive: true, force: true }))

test('a process that is told to end says so while it still answers; told again, it ends at once', async () => {
  const own = await testDb()
  const service = await startService({ databaseUrl: own.url, role: 'api', env: { RUNWRIGHT_DRAIN_SECONDS: '60' } })
  const ready = () => service.ask('GET', '/readyz')
  assert.equal((await ready()).status, 200)
  const ended = once(service.child, 'exit')
  service.child.kill('SIGTERM')
  let answer = await ready()
  while (answer.status === 200) answer = await ready()
  assert.equal(answer.status, 503)
  assert.match(await answer.text(), /This process is shutting down/)
  const other = await service.ask('GET', '/v1/users/me')
  assert.deepEqual([other.status, other.headers.get('connection')], [200, 'close'])
  service.child.kill('SIGTERM')
  assert.deepEqual(await ended, [1, null])
})

test('every process is started anew under live runs: none fails, and nobody is answered with a fault', async (t) => {
  const rolled = await roll({ databaseUrl: db.url, dataDir, runs: 3, rounds: 1, runSeconds: 6 })
  t.diagnostic(`handed over in ${rolled.handOverMs.join(' and ')} ms`)
  assert.deepEqual(rolled.broken, [])
  assert.deepEqual(rolled.ended, { completed: 3 })
  assert.deepEqual(Object.keys(rolled.statuses), ['200'])
  for (const ms of rolled.handOverMs) assert.ok(ms < limits.drainMs / 2, `handed over in ${ms} ms`)
})
