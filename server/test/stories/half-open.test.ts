import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#base/limits.ts'
import { listen } from '#db/listen.ts'
import { openPool, rows } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { Subscriptions } from '#domain/runs/subscriptions/subscriptions.ts'
import { openNotifier, progressChannel } from '#domain/runs/logs/notifier.ts'
import { openWorkerSession } from '#domain/runs/workers/open-worker-session.ts'
import { buildServer } from '#http/build-server.ts'
import { openHalfOpenProxy } from '#test/half-open-proxy.ts'
import { makeRun } from '#test/make-run.ts'
import { openStream } from '#test/open-stream.ts'
import { testApp, type TestApp } from '#test/test-app.ts'

/** Within this a connection that has gone silent is given up. */
const noticedMs = 30_000

const { app, member, rateLimiter } = await testApp()
const databaseUrl = app.pool.options.connectionString as string

/** A way to the database of this file that can be black-holed. */
async function openProxy() {
  const proxy = await openHalfOpenProxy(databaseUrl)
  after(() => proxy[Symbol.asyncDispose]())
  return proxy
}

/** A server of its own, with these in the place of what the others use. */
async function startServer(parts: Partial<TestApp['app']>): Promise<string> {
  const subscriptions = new Subscriptions({
    pool: app.pool,
    databaseUrl,
    blobs: app.blobs,
    chores: app.telemetry.chores,
  })
  const server = await buildServer({ app: { ...app, subscriptions, ...parts }, rateLimiter })
  after(() => server.close())
  return server.listen({ port: 0, host: '127.0.0.1' })
}

async function until(condition: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (!condition()) {
    assert.ok(performance.now() < end, `not within ${ms} ms`)
    await sleep(10)
  }
}

describe('a connection to the database that vanishes without a word', { concurrency: true }, () => {
  test('under the streams: they go on, and hear notifications again in less than ten seconds', async () => {
    const proxy = await openProxy()
    const url = await startServer({
      subscriptions: new Subscriptions({
        pool: app.pool,
        databaseUrl: proxy.url,
        blobs: app.blobs,
        chores: app.telemetry.chores,
      }),
    })
    const me = await member()
    const run = await makeRun(app.pool, me)
    const stream = await openStream(`${url}${me.path}/agent/run/${run.id}/logs/stream`, {
      authorization: `Bearer ${me.token}`,
    })
    const showProgress = () => app.notifier.notifyProgress({ runId: run.id, toolName: 'shell', output: 'x' })
    const showing = setInterval(showProgress, 100)
    await stream.until('progress')
    proxy.blackHole()
    proxy.fix()
    const goneAt = performance.now()
    // What was heard before is told before.
    await app.pool.query(
      `update run_heads set status_detail = 'seen by looking', revision = revision + 1 where run_id = $1`,
      [run.id],
    )
    let event = await stream.next()
    while (event?.event === 'progress') event = await stream.next()
    assert.equal(event?.data.status_detail, 'seen by looking')
    assert.ok(performance.now() - goneAt < limits.heartbeatMs + limits.heartbeatAnswerMs, 'the slow look sees it')
    // Progress is told by notifications alone.
    await stream.until('progress')
    const heardAfterMs = performance.now() - goneAt
    clearInterval(showing)
    assert.ok(heardAfterMs > 1_000, 'it was black-holed')
    assert.ok(heardAfterMs < noticedMs, `heard again after ${heardAfterMs} ms`)
    assert.equal(proxy.connected, 2)
    stream.close()
  })

  test('under a request: it is answered 503 with Retry-After, and the next ones are served', async () => {
    const proxy = await openProxy()
    const pool = openPool(proxy.url, { connectionsMax: 2 })
    after(() => pool.end())
    const url = await startServer({ pool: Object.assign(pool, { url: proxy.url }) })
    const me = await member()
    const ask = () => fetch(`${url}${me.path}/agent/runs`, { headers: { authorization: `Bearer ${me.token}` } })
    assert.equal((await ask()).status, 200)
    proxy.blackHole()
    proxy.fix()
    const goneAt = performance.now()
    const refused = await ask()
    assert.equal(refused.status, 503)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal(((await refused.json()) as { code: string }).code, 'unavailable')
    assert.ok(performance.now() - goneAt < noticedMs, `answered after ${performance.now() - goneAt} ms`)
    assert.equal((await ask()).status, 200)
  })

  test('under a transaction: it is given up, and its connection is not used again', async () => {
    const proxy = await openProxy()
    const pool = openPool(proxy.url, { connectionsMax: 1 })
    after(() => pool.end())
    const begun = performance.now()
    const working = inTransaction(pool, async (tx) => {
      await tx.query('select 1')
      proxy.blackHole()
      proxy.fix()
      await tx.query('select 2')
    })
    await assert.rejects(working, /Query read timeout/)
    assert.ok(performance.now() - begun < noticedMs)
    assert.deepEqual(await rows(pool, 'select 3 as n'), [{ n: 3 }])
  })

  test('before it stands: nobody waits for it for longer', async () => {
    const proxy = await openProxy()
    proxy.blackHole()
    const pool = openPool(proxy.url)
    after(() => pool.end())
    const begun = performance.now()
    await assert.rejects(pool.query('select 1'), /timeout/)
    assert.ok(performance.now() - begun < noticedMs)
  })

  test('under the notifier: what it says is heard again in less than ten seconds', async () => {
    const proxy = await openProxy()
    const notifier = openNotifier(proxy.url)
    after(() => notifier[Symbol.asyncDispose]())
    const heard: string[] = []
    const ready = Promise.withResolvers<void>()
    const listener = listen({
      databaseUrl,
      channels: [progressChannel],
      onNotification: (_, payload) => payload.includes('announced') && heard.push(payload),
      onConnected: ready.resolve,
    })
    after(() => listener[Symbol.asyncDispose]())
    await ready.promise
    const speaking = setInterval(() => notifier.notifyProgress({ runId: 0, toolName: null, output: 'announced' }), 100)
    await until(() => heard.length > 0, noticedMs)
    proxy.blackHole()
    proxy.fix()
    await sleep(300)
    heard.length = 0
    await until(() => heard.length > 0, noticedMs)
    clearInterval(speaking)
    assert.equal(proxy.connected, 2)
  })

  test('under a worker: it knows in less than ten seconds that it holds nothing any more', async () => {
    const proxy = await openProxy()
    const lost = Promise.withResolvers<void>()
    const session = await openWorkerSession({ databaseUrl: proxy.url, onWake: () => {}, onLost: lost.resolve })
    const begun = performance.now()
    proxy.blackHole()
    await lost.promise
    assert.ok(performance.now() - begun < noticedMs, `noticed after ${performance.now() - begun} ms`)
    const closing = performance.now()
    await session[Symbol.asyncDispose]()
    assert.ok(performance.now() - closing < limits.connectMs, 'and leaves without waiting for an answer')
  })

  test('under what is ended at that moment: its end waits for nobody', async () => {
    const proxy = await openProxy()
    const session = await openWorkerSession({ databaseUrl: proxy.url, onWake: () => {}, onLost: () => {} })
    const listening = Promise.withResolvers<void>()
    const listener = listen({
      databaseUrl: proxy.url,
      channels: ['nothing'],
      onNotification: () => {},
      onConnected: listening.resolve,
    })
    await listening.promise
    proxy.blackHole()
    const begun = performance.now()
    await Promise.all([session[Symbol.asyncDispose](), listener[Symbol.asyncDispose]()])
    assert.ok(performance.now() - begun < limits.connectMs, `took ${performance.now() - begun} ms`)
  })

  test('but one that is only slow is kept', async () => {
    const proxy = await openProxy()
    const connected = Promise.withResolvers<void>()
    let isHeard = false
    const listener = listen({
      databaseUrl: proxy.url,
      channels: ['slow'],
      onNotification: () => (isHeard = true),
      onConnected: connected.resolve,
    })
    after(() => listener[Symbol.asyncDispose]())
    await connected.promise
    proxy.delay(300)
    await sleep(3_000)
    await app.pool.query(`select pg_notify('slow', '')`)
    await until(() => isHeard, noticedMs)
    assert.equal(proxy.connected, 1)
  })
})
