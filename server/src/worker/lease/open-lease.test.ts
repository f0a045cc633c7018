import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { one } from '#db/pool.ts'
import { testDb } from '#test/test-db.ts'
import { openLease, type OpenLease } from './open-lease.ts'

const db = await testDb()
const open = (more: Partial<OpenLease> = {}) =>
  openLease({
    registration: { databaseUrl: db.url, name: 'test', slots: 1, version: '0', labels: [], place: 'here' },
    onWake: () => {},
    onLost: () => {},
    ...more,
  })
const isAlive = async (workerId: number) =>
  (await one<{ alive: boolean }>(db, 'select alive_until > now() as alive from workers where id = $1', [workerId]))
    .alive

test('a worker whose event loop stands still for longer than its lease keeps it', async () => {
  await using lease = await open()
  const seconds = limits.leaseMs / 1000 + 2
  // This blocks the loop as a runaway regular expression does.
  execFileSync('sleep', [String(seconds)])
  assert.ok(lease.msSinceRenewed() < limits.leaseMs, `renewed ${lease.msSinceRenewed()} ms ago`)
  assert.equal(await isAlive(lease.workerId), true)
})

test('it hears of queued runs, and of the end of its session', async () => {
  const woken = Promise.withResolvers<unknown>()
  const lost = Promise.withResolvers<void>()
  await using lease = await open({ onWake: woken.resolve, onLost: lost.resolve })
  await db.query(`select pg_notify('runs', '{"queued":true}')`)
  assert.deepEqual(await woken.promise, { queued: true })
  await db.query(
    `select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.objid = $1::oid`,
    [lease.workerId],
  )
  await lost.promise
})

test('where the database cannot be reached there is none', async () => {
  const nowhere = {
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    name: 'x',
    slots: 1,
    version: '0',
    labels: [],
    place: 'x',
  }
  await assert.rejects(open({ registration: nowhere }), /ECONNREFUSED/)
})

test('of several hosts, the one that can be reached is found however often a worker begins anew', async () => {
  const { host } = new URL(db.url)
  const databaseUrl = db.url.replace(host, `127.0.0.1:1,127.0.0.1:2,${host}`)
  const registration = { databaseUrl, name: 'test', slots: 1, version: '0', labels: [], place: 'here' }
  for (let n = 0; n < 2; n++) {
    await using lease = await open({ registration })
    assert.equal(await isAlive(lease.workerId), true)
  }
})
