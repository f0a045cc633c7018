import assert from 'node:assert/strict'
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

test('a database of a newer version is refused by name', async () => {
  await db.query("insert into migrations (name, digest) values ('9999-later.sql', 'x')")
  await assert.rejects(migrate(db), /9999-later\.sql, which this version does not know/)
  await db.query("delete from migrations where name = '9999-later.sql'")
})
