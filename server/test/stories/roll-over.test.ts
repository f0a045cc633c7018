import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { roll } from '#test/chaos/roll.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-roll-'))
chmodSync(dataDir, 0o711)
after(() => rm(dataDir, { recursive: true, force: true }))

test('every process is started anew under live runs: none fails, and nobody is answered with a fault', async (t) => {
  const rolled = await roll({ databaseUrl: db.url, dataDir, runs: 4, rounds: 1, runSeconds: 8 })
  t.diagnostic(`handed over in ${rolled.handOverMs.join(' and ')} ms`)
  assert.deepEqual(rolled.broken, [])
  assert.deepEqual(rolled.ended, { completed: 4 })
  assert.deepEqual(Object.keys(rolled.statuses), ['200'])
  for (const ms of rolled.handOverMs) assert.ok(ms < 5_000, `handed over in ${ms} ms`)
})
