import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { testDb } from '#test/test-db.ts'
import { openPool, rows } from './pool.ts'

const db = await testDb()
const pool = openPool(db.url, { connectionsMax: 1, statementMs: 200 })
after(() => pool.end())

test('a statement that takes too long is ended by PostgreSQL, is no fault of ours, and holds up nobody', async () => {
  const begun = performance.now()
  await assert.rejects(pool.query('select pg_sleep(60)'), (error: Error & { code?: string }) => {
    assert.equal(error.code, '57014')
    return isConnectionError(error)
  })
  assert.deepEqual(await rows(pool, 'select 1 as n'), [{ n: 1 }])
  assert.ok(performance.now() - begun < 20_000)
})

test('a column of a row has the name that it has in the code; one that is given a name keeps it', async () => {
  const found = await rows(db, `select 1 as repo_id, 2 as log_sha256, 3 as "isNew", '{"a_b": 4}'::jsonb as n`)
  assert.deepEqual(found, [{ repoId: 1, logSha256: 2, isNew: 3, n: { a_b: 4 } }])
})
