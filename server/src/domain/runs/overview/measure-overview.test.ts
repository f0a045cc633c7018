import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricLimits } from '#base/metric-limits.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { openPool } from '#db/pool.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
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
  assert.doesNotMatch(
    meanwhile,
    /^runwright_(runs|runs_stuck|oldest_queued_seconds|workers_alive|slots_free|runs_queued|slots_wanted|slots_used)[{ ]/m,
  )
  asked = db
  assert.match((await metrics.read()).text, /^runwright_runs\{status="queued"\} 1$/m)
  await away.end()
})

test('autoscaling sees by labels what is queued, wanted and used; of many sets the most wanted', async () => {
  const metrics = openMetrics()
  measureOverview(metrics, () => readOverview(db))
  const { run } = await makeHeldRun(db)
  const more = { organizationId: run.organizationId, userId: run.userId ?? 1 }
  const queued = [await makeRun(db, more), await makeRun(db, more), await makeRun(db, more)]
  await db.query('update run_slots set max_running = 3 where organization_id = $1', [run.organizationId])
  const ids = [run, ...queued].map(({ id }) => id)
  await db.query(`update run_heads set labels = '{gpu,linux}' where run_id = any($1)`, [ids])
  const seen = (await metrics.read()).text
  assert.match(seen, /^runwright_runs_queued\{labels="gpu,linux"\} 3$/m)
  assert.match(seen, /^runwright_slots_used\{labels="gpu,linux"\} 1$/m)
  assert.match(
    seen,
    /^runwright_slots_wanted\{labels="gpu,linux"\} 3$/m,
    'one is used, and the organization may have two more',
  )
  assert.match(seen, /^runwright_slots_wanted\{labels=""\} 1$/m)

  const { organizationId, userId } = await makeRun(db)
  for (let n = 0; n < metricLimits.labelSetsMax; n++) {
    const { id } = await makeRun(db, { organizationId, userId: userId ?? 1 })
    await db.query('update run_heads set labels = $2 where run_id = $1', [id, [`set-${String(n).padStart(3, '0')}`]])
  }
  const many = (await metrics.read()).text
  const names = [...many.matchAll(/^runwright_runs_queued\{labels="(.*)"\} (\d+)$/gm)]
  assert.equal(names.length, metricLimits.labelSetsMax + 1)
  assert.equal(names.find(([, name]) => name === 'other')?.[2], '2')
  assert.ok(
    names.some(([, name]) => name === 'gpu,linux'),
    'the most wanted stay by name',
  )
  await db.query(`update run_heads set status = 'cancelled' where status = 'queued'`)
  assert.doesNotMatch((await metrics.read()).text, /^runwright_runs_queued\{labels="set/m)
})
