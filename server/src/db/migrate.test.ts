import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { testDb } from '#test/test-db.ts'
import { migrate } from './migrate.ts'

const db = await testDb()

test('a migrated database has nothing left to migrate', async () => {
  assert.deepEqual(await migrate(db), [])
})

test('many processes may migrate at once', async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(db)))
  assert.deepEqual(runs.flat(), [])
})

test('code runs beside a newer schema that only adds', async () => {
  await db.query(`insert into migrations (name, digest) values ('9998-more.sql', 'x')`)
  assert.deepEqual(await migrate(db), [])
})

test('beside one that takes away, only code that knows what it needs', async () => {
  const insert = (name: string, needs: string) =>
    db.query(`insert into migrations (name, digest, needs) values ($1, 'x', $2)`, [name, needs])
  await insert('9998-without.sql', '0012')
  assert.deepEqual(await migrate(db), [])
  await insert('9999-without.sql', '9990')
  await assert.rejects(
    migrate(db),
    /9999-without\.sql, beside which only a Runwright that knows migration 9990 may run/,
  )
  await db.query(`delete from migrations where name like '999%'`)
})

test('a migration that takes away says what code must know beside it', () => {
  const folder = path.join(import.meta.dirname, 'migrations')
  const takesAway =
    /\b(drop (table|column|function|trigger|type)|rename (to|column)|set not null|alter column \S+ (set data )?type)\b/i
  for (const name of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, name), 'utf8')
    if (takesAway.test(text)) assert.match(text, /^-- contract: \d{4}\n/, `${name} takes something away`)
  }
})

test('a table that somebody holds is waited for in short pieces, so that others are not kept behind', async () => {
  const holder = await db.connect()
  await holder.query('begin')
  await holder.query('select from users limit 1')
  const name = '0002-rate-limits.sql'
  // To be run anew, it has to find nothing of what it makes.
  await db.query('drop table rate_counters, rate_windows; drop function admit_request')
  await db.query('delete from migrations where name = $1', [name])
  await holder.query('lock table migrations in share mode')
  const migrating = migrate(db)
  const waits = async () =>
    (
      await db.query(
        `select wait_event_type from pg_stat_activity where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`,
      )
    ).rowCount
  while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
  while (await waits()) await new Promise((resolve) => setImmediate(resolve))
  await holder.query('rollback')
  holder.release()
  assert.deepEqual(await migrating, [name])
})
