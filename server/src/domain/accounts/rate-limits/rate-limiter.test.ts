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
async function open(options: { quotas?: Quotas; now?: () => number } = {}): Promise<RateLimiter> {
  const limiter = new RateLimiter(db, { quotas, logger, ...options })
  await limiter.start()
  return limiter
}

/** How many of so many requests of one token pass. */
async function passing(limiter: RateLimiter, count: number, credentialId: number, policy: Policy = 'standard') {
  const asked = Array.from({ length: count }, () => limiter.admit({ credentialId, policy }))
  return (await Promise.all(asked)).filter(({ isAdmitted }) => isAdmitted).length
}

const counters = () => rows<{ inMemory: boolean }>(db, 'select in_memory from rate_counters')
const stored = () => rows(db, 'select * from rate_windows')

test('a process that serves alone counts in memory, and asks the database nothing', async () => {
  await using alone = await open()
  assert.equal(alone.isInMemory, true)
  assert.equal(await passing(alone, 10, ++credentials), 5)
  assert.deepEqual(await stored(), [])
})

test('where nothing is limited nothing is counted', async () => {
  const off = {
    creation: null,
    setup: null,
    analysis: null,
    logs: null,
    standard: null,
    session: null,
    user: null,
    organization: null,
  }
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

const sharing: Quotas = {
  ...quotasDefault,
  standard: { limit: 20, windowSeconds: 60 },
  user: { limit: 7, windowSeconds: 60 },
  organization: { limit: 11, windowSeconds: 60 },
}

/** Fifty requests at once of three tokens of each of two users in one organization; how many of each user pass. */
async function takeAtOnce(limiters: RateLimiter[]) {
  const [organizationId, first, second] = [++credentials, ++credentials, ++credentials]
  const takers = Array.from({ length: 50 }, (_, n) => {
    const userId = n % 2 ? first : second
    return { userId, organizationId, credentialId: userId * 1_000 + (n % 3) }
  })
  const asked = takers.map((taker, n) => limiters[n % limiters.length]!.admit({ ...taker, policy: 'standard' }))
  const decisions = await Promise.all(asked)
  const passed = takers.filter((_, n) => decisions[n]!.isAdmitted)
  const standings = await Promise.all(
    [...new Map(takers.map((taker) => [taker.credentialId, taker])).values()].map((taker) => limiters[0]!.list(taker)),
  )
  const charged = standings.map((states) => states.find(({ policy }) => policy === 'standard')!.used)
  return {
    all: passed.length,
    users: [first, second].map((userId) => passed.filter((taker) => taker.userId === userId).length),
    charged: charged.reduce((sum, used) => sum + used),
    shared: standings[0]!.slice(-2).map(({ policy }) => policy),
  }
}

test('however many tokens they are, a user and an organization send no more than their limits, to the request', async () => {
  await using alone = await open({ quotas: sharing })
  for (const processes of [1, 3]) {
    const others = await Promise.all(Array.from({ length: processes - 1 }, () => open({ quotas: sharing })))
    for (let round = 0; round < 5; round++) {
      const { all, users, charged, shared } = await takeAtOnce([alone, ...others])
      assert.equal(all, 11)
      assert.ok(
        users.every((passed) => passed <= 7),
        String(users),
      )
      assert.equal(charged, 11, 'who is refused is charged nowhere')
      assert.deepEqual(shared, ['user', 'organization'])
    }
    assert.equal(alone.isInMemory, processes === 1)
    for (const other of others) await other[Symbol.asyncDispose]()
  }
})

test('a refusal says which limit it was, and making another token changes nothing', async () => {
  await using limiter = await open({ quotas: { ...sharing, organization: null } })
  const [userId, organizationId] = [++credentials, ++credentials]
  const send = (credentialId: number) => limiter.admit({ credentialId, userId, organizationId, policy: 'standard' })
  for (let n = 0; n < 7; n++) assert.equal((await send(++credentials)).isAdmitted, true)
  const { isAdmitted, states } = await send(++credentials)
  assert.equal(isAdmitted, false)
  assert.partialDeepStrictEqual(states, [{ policy: 'user', limit: 7, used: 7 }])
  assert.equal(
    (await limiter.admit({ credentialId: ++credentials, userId: ++credentials, policy: 'standard' })).isAdmitted,
    true,
  )
})
