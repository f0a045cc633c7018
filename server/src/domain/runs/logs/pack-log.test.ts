import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { one } from '#db/pool.ts'
import { makeRun } from '#test/make-run.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { LogPages } from './log-pages.ts'
import { packLog } from './pack-log.ts'

const db = await testDb()
const blobs = testBlobs()

/** A run with so many entries; answers its ids. */
async function makeLog(entries: number, thought = 'So, then.') {
  const { organizationId, id: runId } = await makeRun(db)
  await db.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'ACTION', $3::json from generate_series(1, $4::int) n`,
    [organizationId, runId, JSON.stringify({ turn: 1, message_type: 'ACTION', thought }), entries],
  )
  return { organizationId, runId }
}

const read = async (ids: { organizationId: number; runId: number }, from: number, to: number, reverse = false) =>
  JSON.parse(
    (await new LogPages(db, blobs).get({ ...ids, from, to, reverse }, { before: '[', after: ']' })).toString(),
  ) as {
    seq: number
  }[]
const kept = async ({ runId }: { runId: number }) =>
  (
    await one<{ pages: number[] }>(
      db,
      'select array_agg(page order by page) as pages from log_pages where run_id = $1',
      [runId],
    )
  ).pages

test('a page that was packed is read as its entries were, and each is packed once', async () => {
  const ids = await makeLog(1_250)
  const before = await read(ids, 301, 400)
  assert.equal(before.length, 100)
  assert.equal(await packLog(db, { ...ids, entries: 250, blobs }), 2)
  assert.equal(await packLog(db, { ...ids, entries: 1_250, blobs }), 10)
  assert.equal(await packLog(db, { ...ids, entries: 1_250, blobs }), 0)
  assert.deepEqual(
    await kept(ids),
    Array.from({ length: 12 }, (_, n) => n + 1),
  )
  assert.deepEqual(await read(ids, 301, 400), before)
  // What is read now can only come from there.
  await db.query('delete from log_entries where run_id = $1 and seq between 301 and 400', [ids.runId])
  assert.deepEqual(await read(ids, 301, 400), before)
})

test('pages that are not full, lie across two or run backwards are put together from their entries', async () => {
  const ids = await makeLog(250)
  await packLog(db, { ...ids, entries: 250, blobs })
  const seqs = async (from: number, to: number, reverse = false) =>
    (await read(ids, from, to, reverse)).map(({ seq }) => seq)
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
  assert.deepEqual(await seqs(201, 250), range(201, 250))
  assert.deepEqual(await seqs(51, 150), range(51, 150))
  assert.deepEqual(await seqs(1, 50), range(1, 50))
  assert.deepEqual(await seqs(1, 100, true), range(1, 100).toReversed())
})

test('a page of very long entries is not packed', async () => {
  const ids = await makeLog(200, 'x'.repeat(limits.logPagePackedBytesMax / 90))
  await db.query(`update log_entries set body = '{"turn":1}' where run_id = $1 and seq <= 100`, [ids.runId])
  assert.equal(await packLog(db, { ...ids, entries: 200, blobs }), 1)
  assert.deepEqual(await kept(ids), [1])
  assert.equal((await read(ids, 101, 200)).length, 100)
})
