import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#base/limits.ts'
import { one } from '#db/pool.ts'
import type { Wake } from '#domain/accounts/organizations/wake-workers.ts'
import { deadWorkers } from '#domain/runs/workers/living.ts'
import { until } from '#test/test-sandboxes.ts'
import { testDb } from '#test/test-db.ts'
import { Leases, type OpenLease } from './leases.ts'

const db = await testDb()
const registration = { name: 'test', slots: 1, version: '0', labels: [], place: 'here' }
const makeLeases = (databaseUrl = db.url, onWake: (wake: Wake) => void = () => {}) =>
  new Leases({ databaseUrl, onWake })
const open = (leases: Leases, onLost: OpenLease['onLost'] = () => {}) => leases.open({ registration, onLost })
const isDead = async (workerId: number) =>
  (await one<{ dead: boolean }>(db, `select $1 in (${deadWorkers}) as dead`, [workerId])).dead
const sessions = async () =>
  (
    await one<{ count: number }>(
      db,
      `select count(*)::int as count from pg_stat_activity where application_name = 'runwright worker' and datname = current_database()`,
    )
  ).count

test('a worker whose event loop stands still for longer than its lease keeps it', async () => {
  await using lease = await open(makeLeases())
  const seconds = limits.leaseMs / 1000 + 2
  // This blocks the loop as a runaway regular expression does.
  execFileSync('sleep', [String(seconds)])
  assert.ok(lease.msSinceRenewed() < limits.leaseMs, `renewed ${lease.msSinceRenewed()} ms ago`)
  assert.equal(await isDead(lease.workerId), false)
})

test('it hears of queued runs, and of the end of its session', async () => {
  const woken = Promise.withResolvers<Wake>()
  const lost = Promise.withResolvers<void>()
  await using lease = await open(makeLeases(db.url, woken.resolve), lost.resolve)
  await db.query(`select pg_notify('runs', '{"queued":true}')`)
  assert.deepEqual(await woken.promise, { queued: true })
  await endSessionOf(lease.workerId)
  await lost.promise
})

test('many workers share one session; each that leaves is seen to have ended, and the others stay', async () => {
  const leases = makeLeases()
  const opened = await Promise.all(Array.from({ length: 50 }, () => open(leases)))
  assert.equal(await sessions(), 1)
  const [first, ...others] = opened
  await first![Symbol.asyncDispose]()
  assert.equal(await isDead(first!.workerId), true)
  assert.equal(await isDead(others[0]!.workerId), false)
  await Promise.all(others.map((lease) => lease[Symbol.asyncDispose]()))
  assert.equal(await sessions(), 0)
})

test('the leases of all are renewed together; of one that had ended, its worker is told, and the others stay', async () => {
  const leases = makeLeases()
  const lost: number[] = []
  const opened = await Promise.all([0, 1, 2].map((n) => open(leases, () => lost.push(n))))
  await db.query('update workers set alive_until = now() where id = $1', [opened[1]!.workerId])
  await until(() => lost.length > 0, 'one has ended', 2 * limits.leaseMs)
  assert.deepEqual(lost, [1])
  await sleep(limits.leaseMs)
  assert.deepEqual(lost, [1])
  for (const n of [0, 2]) {
    assert.ok(opened[n]!.msSinceRenewed() < limits.leaseMs)
    assert.equal(await isDead(opened[n]!.workerId), false)
  }
  for (const lease of opened) await lease[Symbol.asyncDispose]()
})

test('a session that is cut ends all of its workers, and those that begin anew get another one', async () => {
  const leases = makeLeases()
  const lost: number[] = []
  const opened = await Promise.all([0, 1, 2].map((n) => open(leases, () => lost.push(n))))
  await endSessionOf(opened[0]!.workerId)
  await until(() => lost.length === 3, 'all have ended', limits.leaseMs)
  for (const lease of opened.slice(1)) await lease[Symbol.asyncDispose]()
  // Opened while one of the old is still there.
  await using anew = await open(leases)
  await opened[0]![Symbol.asyncDispose]()
  assert.equal(await isDead(anew.workerId), false)
  for (const lease of opened) assert.equal(await isDead(lease.workerId), true)
  assert.equal(await sessions(), 1)
})

test('where the database cannot be reached there is none', async () => {
  const leases = makeLeases('postgres://nobody@127.0.0.1:1/none')
  for (let n = 0; n < 2; n++) await assert.rejects(open(leases), /ECONNREFUSED/)
  const both = await Promise.allSettled([open(leases), open(leases)])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})

test('of several hosts, the one that can be reached is found however often a worker begins anew', async () => {
  const { host } = new URL(db.url)
  const leases = makeLeases(db.url.replace(host, `127.0.0.1:1,127.0.0.1:2,${host}`))
  for (let n = 0; n < 2; n++) {
    await using lease = await open(leases)
    assert.equal(await isDead(lease.workerId), false)
  }
})

async function endSessionOf(workerId: number): Promise<void> {
  await db.query(
    // Workers of other databases have the same ids.
    `select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.objid = $1::oid
       and l.database = (select oid from pg_database where datname = current_database())`,
    [workerId],
  )
}
