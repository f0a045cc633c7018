import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overview, readOverview } from '#domain/runs/overview/read-overview.ts'
import { makeDeepQueue } from '#test/make-deep-queue.ts'
import { openExplainer } from '#test/scans.ts'
import { testDb } from '#test/test-db.ts'
import { findUnserved, unserved } from './find-unserved.ts'
import { mark, markUnserved } from './mark-unserved.ts'

const db = await testDb()

test('whoever looks at the whole queue reads no queued run but the first ones', async () => {
  await using looks = new AsyncDisposableStack()
  const open = async (types: string, text: string, values: string) =>
    looks.use(await openExplainer(db.url, { types, text, values }))
  const explainers = {
    overview: await open('integer, integer', overview.text, '10000, 10000'),
    unserved: await open('integer', unserved.text, '30000'),
    marked: await open('integer', mark, '1000'),
  }
  await db.query(
    `insert into workers (name, slots, version, alive_until) values ('idle', 4, '0', now() + interval '1 hour')`,
  )
  await makeDeepQueue(db)
  await makeDeepQueue(db)
  await makeDeepQueue(db, { labels: '{gpu}', detail: 'no_worker' })
  await makeDeepQueue(db, { isLate: true })
  await db.query('analyze')
  for (const [name, explainer] of Object.entries(explainers)) {
    const { read } = (await explainer.explain())('run_heads')
    assert.ok(read <= 8, `${name} read ${read} runs`)
  }
  assert.partialDeepStrictEqual(await readOverview(db), { queued: 8_000, untaken: 4_000, freeSlots: 4 })
  assert.deepEqual(await findUnserved(db), [{ labels: ['gpu'], runs: 2_000, reason: 'no_worker' }])
  assert.equal(await markUnserved(db), 0)
})

test('as workers come and go, every queued run says why it waits, however many there are', async () => {
  await db.query(`update workers set labels = '{gpu}', unfit = '{disk_full}'`)
  assert.equal(await markUnserved(db), 8_000)
  const { rows } = await db.query(
    `select distinct status_detail as "statusDetail" from run_heads where status = 'queued'`,
  )
  assert.deepEqual(rows, [{ statusDetail: 'no_fit_worker' }])
  assert.equal(await markUnserved(db), 0)
})
