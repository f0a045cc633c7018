import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLogger } from '#base/logger.ts'
import { Chores } from '#base/telemetry/chores.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { openRounds, restMs } from './rounds.ts'

const logger = openLogger({ level: 'silent' })

test('a chore that finds nothing rests for a minute; one that finds something or fails does not', async () => {
  let now = 0
  const telemetry = { chores: new Chores({ logger, metrics: openMetrics() }) }
  const doRounds = openRounds({ telemetry }, { nowMs: () => now })
  const done: string[] = []
  const chores = {
    idle: async () => (done.push('idle'), 0),
    failing: () => (done.push('failing'), Promise.reject(new Error('away'))),
    busy: async () => done.push('busy'),
  }
  await doRounds(chores)
  await doRounds(chores)
  assert.deepEqual(done.splice(0), ['idle', 'failing', 'busy', 'failing', 'busy'])
  now += restMs
  await doRounds(chores)
  assert.deepEqual(done, ['idle', 'failing', 'busy'])
})
