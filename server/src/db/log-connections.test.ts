import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLogger } from '#base/logger.ts'
import { testDb } from '#test/test-db.ts'
import { logConnections } from './log-connections.ts'
import { openPool } from './pool.ts'

const db = await testDb()

test('that PostgreSQL was lost, and is back, is each said once', async () => {
  const text: string[] = []
  const write = (line: string) => text.push((JSON.parse(line) as { msg: string }).msg)
  const pool = openPool(db.url, { connectionsMax: 3, name: 'to be lost' })
  logConnections(pool, openLogger({ level: 'info', destination: { write } }))
  await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.05)')))
  assert.deepEqual(text, [])
  await db.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be lost'`)
  while (pool.totalCount > 0) await sleep(5)
  await Promise.all([1, 2, 3].map(() => pool.query('select 1')))
  assert.deepEqual(text, ['PostgreSQL was lost', 'PostgreSQL is back'])
  await pool.end()
})
