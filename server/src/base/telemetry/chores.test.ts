import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Chores, choreSaidMs, failuresBeforeWarning } from './chores.ts'
import { openLogger } from '#base/logger.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'

type Line = { event?: string; level: string; chore: string; failures: number; err?: { message: string } }

function open() {
  const lines: Line[] = []
  const logger = openLogger({
    level: 'info',
    destination: { write: (text: string) => void lines.push(JSON.parse(text) as Line) },
  })
  const metrics = openMetrics()
  let now = 0
  const chores = new Chores({ logger, metrics, nowMs: () => now })
  return { chores, metrics, lines, pass: (ms: number) => (now += ms) }
}
const fail = () => Promise.reject(new Error('no room'))

test('a chore that fails three times in a row says so, then once a minute, and when it works again', async () => {
  const { chores, lines, metrics, pass } = open()
  assert.equal(await chores.do('partitions', async () => 7), 7)
  for (let n = 0; n < 5; n++) assert.equal(await chores.do('partitions', fail), undefined)
  assert.deepEqual(
    lines.map(({ event, level, chore, failures, err }) => ({ event, level, chore, failures, why: err?.message })),
    [{ event: 'chore_failed', level: 'warn', chore: 'partitions', failures: failuresBeforeWarning, why: 'no room' }],
  )
  pass(choreSaidMs)
  await chores.do('partitions', fail)
  assert.deepEqual([lines.length, lines[1]?.failures], [2, 6])
  const { text } = await metrics.read()
  assert.match(text, /^runwright_chores_failed_total\{chore="partitions"\} 6$/m)
  assert.match(text, /^runwright_chores_failing\{chore="partitions"\} 1$/m)
  await chores.do('partitions', async () => undefined)
  assert.deepEqual([lines.length, lines[2]?.event, lines[2]?.failures], [3, 'chore_recovered', 6])
  assert.match((await metrics.read()).text, /^runwright_chores_failing\{chore="partitions"\} 0$/m)
})

test('one that fails once or twice is counted, and not said', async () => {
  const { chores, lines, metrics } = open()
  for (let n = 0; n < 10; n++) {
    for (let failures = 1; failures < failuresBeforeWarning; failures++) await chores.do('sweep', fail)
    await chores.do('sweep', async () => undefined)
  }
  assert.deepEqual(lines, [])
  assert.match((await metrics.read()).text, /^runwright_chores_failed_total\{chore="sweep"\} 20$/m)
})

test('one that comes and goes is said no more often, and hides no other', async () => {
  const { chores, lines } = open()
  for (let n = 0; n < 100; n++) {
    for (let failures = 1; failures <= failuresBeforeWarning; failures++) await chores.do('sweep', fail)
    await chores.do('sweep', async () => undefined)
  }
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['chore_failed', 'chore_recovered'],
  )
  for (let failures = 1; failures <= failuresBeforeWarning; failures++) await chores.do('events', fail)
  assert.equal(lines.at(-1)?.chore, 'events')
})
