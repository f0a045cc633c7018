import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { openPool } from '#db/pool.ts'
import { makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { measureOverview } from './measure-overview.ts'
import { readOverview } from './read-overview.ts'

const db = await testDb()

test('how the whole service stands is measured; while the database is away nothing of it is claimed', async () => {
  await makeRun(db)
  const away = openPool('postgres://nobody@127.0.0.1:1/nothing')
  let asked = db as Parameters<typeof readOverview>[0]
  const metrics = openMetrics()
  measureOverview(metrics, () => readOverview(asked))
  const before = (await metrics.read()).text
  assert.match(before, /^runwright_database_up 1$/m)
  assert.match(before, /^runwright_runs\{status="queued"\} 1$/m)
  assert.match(before, /^runwright_runs_stuck\{reason="orphaned"\} 0$/m)
  assert.match(before, /^runwright_oldest_queued_seconds \d/m)
  asked = away
  const meanwhile = (await metrics.read()).text
  assert.match(meanwhile, /^runwright_database_up 0$/m)
  assert.doesNotMatch(meanwhile, /^runwright_(runs|runs_stuck|oldest_queued_seconds|workers_alive|slots_free)[{ ]/m)
  asked = db
  assert.match((await metrics.read()).text, /^runwright_runs\{status="queued"\} 1$/m)
  await away.end()
})
