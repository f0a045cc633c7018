import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rows } from '#db/pool.ts'
import { makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { leadService, type Lead } from './lead-service.ts'

const db = await testDb()

test('who leads sees what has happened since it began, and between its looks keeps no dead row and locks nothing that it read', async () => {
  const leading = Promise.withResolvers<Lead>()
  await using _service = leadService({
    databaseUrl: db.url,
    pool: db,
    onLead: async (lead) => {
      leading.resolve(lead)
      await new Promise((resolve) => lead.stop.addEventListener('abort', resolve))
    },
  })
  const { look } = await leading.promise
  const run = await makeRun(db)
  await db.query(
    `update run_heads set not_before = clock_timestamp() + interval '200 ms', is_due = false where run_id = $1`,
    [run.id],
  )
  assert.equal((await look()).needsSweep, false)
  await sleep(300)
  assert.equal((await look()).needsSweep, true)
  // Nothing is asked on its session any more: as it is a moment later it stays.
  await sleep(100)
  const own = `select backend_xmin is null as "keepsNone",
      array(select relation::regclass::text from pg_locks l where l.pid = a.pid and relation is not null) as locked
    from pg_stat_activity a where datname = current_database() and application_name = 'runwright leader' and state like 'idle%'`
  assert.deepEqual(await rows(db, own), [{ keepsNone: true, locked: ['leadership'] }])
})
