import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDb } from '#test/test-db.ts'
import { openDatabaseClock } from './open-database-clock.ts'
import { one, openPool } from './pool.ts'

const db = await testDb()
const hourMs = 3_600_000

const isNear = (time: Date, other: Date) => Math.abs(time.getTime() - other.getTime()) < hourMs / 2
const databaseTime = async () => (await one<{ now: Date }>(db, 'select clock_timestamp() as now')).now

test("it has the database's time, whatever the machine's is set to", async (t) => {
  const aheadMs = 5 * hourMs
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + aheadMs })
  using clock = await openDatabaseClock(db)
  assert.ok(isNear(clock.now(), await databaseTime()))
  // Somebody sets it.
  t.mock.timers.setTime(Date.now() - 2 * aheadMs)
  assert.ok(isNear(clock.now(), await databaseTime()))
})

test('it follows a database whose time is set, and makes no step otherwise', async () => {
  // PostgreSQL finds ours before its own.
  await db.query(`create schema other;
    create table other.time as select interval '0' as ahead;
    create function other.clock_timestamp() returns timestamptz language sql
      as 'select pg_catalog.clock_timestamp() + ahead from other.time'`)
  const other = openPool(`${db.url}?options=${encodeURIComponent('-c search_path=other,pg_catalog,public')}`)
  after(() => other.end())
  using clock = await openDatabaseClock(other)
  let before = clock.now()
  for (let n = 0; n < 20; n++) {
    await clock.look()
    const now = clock.now()
    assert.ok(now >= before, `${now.toISOString()} after ${before.toISOString()}`)
    before = now
  }
  await db.query(`update other.time set ahead = interval '-5 hours'`)
  await clock.look()
  assert.ok(isNear(clock.now(), new Date((await databaseTime()).getTime() - 5 * hourMs)))
})

test("until the database answers it has the machine's time", async () => {
  const away = openPool('postgres://nobody@127.0.0.1:1/none')
  after(() => away.end())
  using clock = await openDatabaseClock(away)
  assert.ok(isNear(clock.now(), new Date()))
  await assert.rejects(clock.look(), /ECONNREFUSED/)
})
