import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '#db/transaction.ts'
import { pruneEvents } from '#domain/runs/events/prune-events.ts'
import { one } from '#db/pool.ts'
import { makeRun } from '#test/make-run.ts'
import { openStream } from '#test/open-stream.ts'
import { testApp } from '#test/test-app.ts'

const { app, ask, member, url } = await testApp()
type Member = Awaited<ReturnType<typeof member>>

const open = (me: Member) => openStream(`${url}${me.path}/agent/runs/stream`, { authorization: `Bearer ${me.token}` })
const post = (me: Member, path: string, body?: object) =>
  ask(`${me.path}${path}`, { method: 'POST', token: me.token, ...(body && { body }) })

test('tells of each run that is made or changes its status, as reading the run does', async () => {
  const me = await member()
  const stream = await open(me)
  const { body: run } = await post(me, '/agent/run', { prompt: 'Go' })
  assert.deepEqual(await stream.next(), { event: 'status', id: null, data: run })
  const times: number[] = []
  for (const turn of [2, 3, 4]) {
    const began = performance.now()
    await post(me, `/agent/run/${run.id}/cancel`)
    assert.partialDeepStrictEqual(await stream.next(), { data: { id: run.id, status: 'cancelled' } })
    times.push(performance.now() - began)
    await post(me, '/agent/run/resume', { agent_run_id: run.id, prompt: 'Again' })
    assert.partialDeepStrictEqual(await stream.next(), { data: { id: run.id, status: 'queued', turn } })
  }
  // One at least: the machine may be busy.
  assert.ok(Math.min(...times) < 800, `a notification tells it, not the slow look: ${times.join(', ')} ms`)
  stream.close()
})

test('tells nothing of other organizations', async () => {
  const [me, other] = [await member(), await member()]
  const stream = await open(me)
  await post(other, '/agent/run', { prompt: 'Elsewhere' })
  await post(me, '/agent/run', { prompt: 'Mine' })
  assert.partialDeepStrictEqual(await stream.next(), { data: { prompt: 'Mine' } })
  stream.close()
})

test('loses no change, however late its transaction commits', async () => {
  const me = await member()
  const stream = await open(me)
  const made: number[] = []
  const make = (n: number) =>
    inTransaction(app.pool, async (tx) => {
      const run = await makeRun(tx, { organizationId: me.organizationId, userId: me.userId })
      // The later it began, the sooner it commits: an id or a time as a cursor would pass over the first ones.
      await tx.query('select pg_sleep($1)', [(8 - n) / 50])
      made.push(run.id)
    })
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 8 }, (_, n) => make(n)))
  assert.equal(made.length, 40)
  const report = new Set<unknown>()
  while (report.size < made.length) report.add((await stream.next())?.data.id)
  assert.deepEqual(report, new Set(made))
  stream.close()
})

test('an event is written in the transaction of its change, or not at all', async () => {
  const me = await member()
  const count = async () =>
    (
      await one<{ n: number }>(app.pool, 'select count(*) as n from events where organization_id = $1', [
        me.organizationId,
      ])
    ).n
  const run = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  assert.equal(await count(), 1)
  const undone = inTransaction(app.pool, async (tx) => {
    await tx.query(`update run_heads set status = 'cancelled' where run_id = $1`, [run.id])
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.equal(await count(), 1)
  await app.pool.query(`update run_heads set status_detail = 'elsewhere' where run_id = $1`, [run.id])
  assert.equal(await count(), 1, 'a detail is no status')
})

test('what happened is kept for some hours', async () => {
  const me = await member()
  const run = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  await app.pool.query(`update events set created_at = now() - interval '7 hours' where run_id = $1`, [run.id])
  const young = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  await pruneEvents(app.pool)
  const left = await one<{ ids: number[] }>(
    app.pool,
    'select array_agg(run_id::int) as ids from events where organization_id = $1',
    [me.organizationId],
  )
  assert.deepEqual(left.ids, [young.id])
})
