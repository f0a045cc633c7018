import assert from 'node:assert/strict'
import net from 'node:net'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Subscriptions } from '#domain/runs/subscriptions/subscriptions.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { openStream } from '#test/open-stream.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from '#http/build-server.ts'

const { app, member, rateLimiter, url } = await testApp()
let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10)
}

/** A run at work with this many entries of this many characters, and the path of its stream. */
async function makeLog({ count, characters }: { count: number; characters: number }) {
  const { run, holder } = await makeHeldRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  const entries = Array.from({ length: count }, () => ({
    messageType: 'PLAN_EVALUATION' as const,
    thought: 'x'.repeat(characters),
  }))
  await appendLog(app.pool, { ...holder, lines: logLines(entries, { turn: 1, mask: (text) => text }) })
  return `${me.path}/agent/run/${run.id}/logs/stream`
}

test('a reader who takes nothing is dropped, and costs nobody anything', async () => {
  const path = await makeLog({ count: 100, characters: 200_000 })
  const { hostname, port } = new URL(url)
  const stalled = net.connect({ host: hostname, port: Number(port) })
  const closed = new Promise((resolve) => stalled.once('close', resolve))
  stalled.on('error', () => {})
  stalled.pause()
  stalled.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${me.token}\r\n\r\n`)
  await until(() => app.subscriptions.readers === 1)
  const memory = process.memoryUsage().rss
  const other = await openStream(`${url}${path}`, { authorization: `Bearer ${me.token}` })
  let last = 0
  while (last < 100) last = (await other.next())?.id ?? last
  other.close()
  await until(() => app.subscriptions.readers === 0)
  assert.ok(process.memoryUsage().rss - memory < 300 * 2 ** 20)
  stalled.resume()
  await closed
})

test('a stream that has nothing to say says a word now and then, and goes on', async (t) => {
  const subscriptions = new Subscriptions({
    pool: app.pool,
    databaseUrl: app.pool.options.connectionString as string,
    blobs: app.blobs,
    chores: app.telemetry.chores,
  })
  const server = await buildServer({ app: { ...app, subscriptions }, rateLimiter, streamCommentMs: 50 })
  t.after(() => server.close())
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  for (const path of [await makeLog({ count: 1, characters: 10 }), `${me.path}/agent/runs/stream`]) {
    const stop = new AbortController()
    const begun = performance.now()
    const answer = await fetch(address + path, {
      headers: { authorization: `Bearer ${me.token}` },
      signal: stop.signal,
    })
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.split('\n\n').filter((block) => block === ':').length === 3) break
    }
    stop.abort()
    assert.ok(performance.now() - begun >= 140, 'a word each time, not all at once')
    assert.match(text, /^retry: 1000\n\n/)
  }
})

test('a server that closes ends its streams at once, and their readers go on elsewhere', async (t) => {
  const path = await makeLog({ count: 3, characters: 10 })
  const subscriptions = new Subscriptions({
    pool: app.pool,
    databaseUrl: app.pool.options.connectionString as string,
    blobs: app.blobs,
    chores: app.telemetry.chores,
  })
  const server = await buildServer({ app: { ...app, subscriptions }, rateLimiter })
  t.after(() => server.close())
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${me.token}` }
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(`${address}${path}`, headers)))
  for (const stream of streams) await stream.until('log')
  const began = performance.now()
  await server.close()
  assert.ok(performance.now() - began < 10_000, 'closing waited for the streams')
  const seen = await Promise.all(
    streams.map(async (stream) => {
      let last = 1
      for (let event = await stream.next(); event; event = await stream.next()) last = event.id ?? last
      return last
    }),
  )
  assert.deepEqual(new Set(seen), new Set([3]))
  const next = await openStream(`${url}${path}`, { ...headers, 'last-event-id': '2' })
  assert.equal((await next.until('log')).at(-1)?.id, 3)
  next.close()
})
