import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openLogger } from '#base/logger.ts'
import { quotasDefault, type Policy, type Quotas } from '#base/rate-limits.ts'
import { rows } from '#db/pool.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { giveWindows } from './give-windows.ts'
import { RateLimiter } from './rate-limiter.ts'
import { takeWindows } from './take-windows.ts'
import type { KeptWindow } from './window.ts'

const db = await testDb()
const logger = openLogger({ level: 'silent' })
const quotas: Quotas = { ...quotasDefault, standard: { limit: 5, windowSeconds: 60 } }
let credentials = 0

/** What stands for a process that serves this database: nothing is shared but the database. */
async function open(given: { quotas?: Quotas; now?: () => number } = {}): Promise<RateLimiter> {
  const limiter = new RateLimiter(db, { quotas, logger, ...given })
  await limiter.start()
  return limiter
}

/** How many of so many requests of one token pass. */
async function passing(limiter: RateLimiter, count: number, credentialId: number, policy: Policy = 'standard') {
  const asked = Array.from({ length: count }, () => limiter.admit({ credentialId, policy }))
  return (await Promise.all(asked)).filter(({ isAdmitted }) => isAdmitted).length
}

const counters = () => rows<{ in_memory: boolean }>(db, 'select in_memory from rate_counters')
const stored = () => rows(db, 'select * from rate_windows')

test('a process that serves alone counts in memory, and asks the database nothing', async () => {
  await using alone = await open()
  assert.equal(alone.isInMemory, true)
  assert.equal(await passing(alone, 10, ++credentials), 5)
  assert.deepEqual(await stored(), [])
})

test('where nothing is limited nothing is counted', async () => {
  const off = { creation: null, setup: null, analysis: null, logs: null, standard: null, session: null }
  await using limiter = await open({ quotas: off })
  assert.equal(await passing(limiter, 1_000, ++credentials), 1_000)
  assert.deepEqual(await limiter.list({ credentialId: credentials }), [])
  assert.deepEqual(await counters(), [])
})

test('as soon as another serves too, both count in the database, with what was counted before', async () => {
  const credentialId = ++credentials
  await using first = await open()
  assert.equal(await passing(first, 3, credentialId), 3)
  await using second = await open()
  assert.deepEqual([first.isInMemory, second.isInMemory], [false, false])
  const both = await Promise.all([passing(first, 5, credentialId), passing(second, 5, credentialId)])
  assert.equal(both[0] + both[1], 2)
  for (const limiter of [first, second])
    assert.deepEqual(
      (await limiter.list({ credentialId })).map(({ policy, used }) => [policy, used]),
      [
        ['creation', 0],
        ['setup', 0],
        ['analysis', 0],
        ['logs', 5],
        ['standard', 5],
      ],
    )
})

test('who is left alone counts in memory again, with what was counted together', async () => {
  const credentialId = ++credentials
  await using first = await open()
  const second = await open()
  assert.equal(await passing(second, 3, credentialId), 3)
  await second[Symbol.asyncDispose]()
  await until(() => first.isInMemory, 'the first counts in memory')
  assert.deepEqual(await stored(), [])
  assert.equal(await passing(first, 10, credentialId), 2)
})

test('a service that is started anew goes on with its counts', async () => {
  const credentialId = ++credentials
  const before = await open()
  assert.equal(await passing(before, 4, credentialId), 4)
  await before[Symbol.asyncDispose]()
  assert.deepEqual(await counters(), [])
  await using afterwards = await open()
  assert.equal(afterwards.isInMemory, true)
  assert.equal(await passing(afterwards, 10, credentialId), 1)
})

test('processes that start at once agree on where they count', async () => {
  const credentialId = ++credentials
  const limiters = await Promise.all(Array.from({ length: 5 }, () => open()))
  const passed = await Promise.all(limiters.map((limiter) => passing(limiter, 5, credentialId)))
  assert.equal(
    passed.reduce((sum, count) => sum + count),
    5,
  )
  for (const limiter of limiters) await limiter[Symbol.asyncDispose]()
})

test('nobody takes the counts for itself while another process lives', async () => {
  const [id, other] = [randomUUID(), randomUUID()]
  await giveWindows(db, { id: other, kept: () => [] })
  await giveWindows(db, { id, kept: () => [{ credentialId: ++credentials, policy: 'standard', agesMs: [1_000] }] })
  const keep = (kept: KeptWindow[]) => kept
  assert.equal(await takeWindows(db, { id, keep }), undefined)
  assert.notDeepEqual(await stored(), [])
  await db.query('update rate_counters set alive_until = clock_timestamp() where id = $1', [other])
  const taken = (await takeWindows(db, { id, keep }))?.find(({ credentialId }) => credentialId === credentials)
  assert.equal(taken?.policy, 'standard')
  assert.ok(taken.agesMs[0]! >= 1_000 && taken.agesMs[0]! < 10_000)
  assert.deepEqual(await stored(), [])
  await db.query('delete from rate_counters')
})

test('a process that was frozen and taken for dead trusts its memory no more', async () => {
  const credentialId = ++credentials
  let frozenMs = 0
  await using frozen = await open({ now: () => performance.now() + frozenMs })
  assert.equal(frozen.isInMemory, true)
  // As after a minute in which neither it nor its renewals went on.
  frozenMs = 60_000
  await db.query(`update rate_counters set alive_until = clock_timestamp() - interval '1 minute'`)
  await using other = await open()
  assert.equal(await passing(other, 3, credentialId), 3)
  assert.equal(await passing(frozen, 5, credentialId), 2)
  assert.equal(await passing(other, 5, credentialId), 0)
})

test('a process that crashed keeps others from answering only as long as its lease lasts', async () => {
  const crashed = `insert into rate_counters values (gen_random_uuid(), clock_timestamp() + interval '300 ms', true)`
  await db.query(crashed)
  const began = performance.now()
  await using next = await open()
  assert.ok(performance.now() - began >= 290)
  assert.equal(await passing(next, 1, ++credentials), 1)
})
