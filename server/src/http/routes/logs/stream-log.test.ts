import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { one } from '#db/pool.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { documented } from '#test/documented.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { openStream } from '#test/open-stream.ts'
import { testApp, type Ask } from '#test/test-app.ts'
import { streamLogRoute } from './stream-log.ts'

const { app, ask, member, url } = await testApp()
const mask = (text: string) => text
let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

/** A run at work whose log has this many entries. */
async function makeWorkingRun(count: number) {
  const { run, holder } = await makeHeldRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  const append = async (length: number) => {
    const entries = Array.from({ length }, (_, n) => ({
      messageType: 'PLAN_EVALUATION' as const,
      thought: `thought ${n} "é"\n and more`,
    }))
    await appendLog(app.pool, { ...holder, lines: logLines(entries, { turn: 1, mask }) })
    app.notifier.notifyRun(run.id)
  }
  const end = async () => {
    // A message that nobody has read would begin the next turn.
    await app.pool.query('update messages set taken_seq = 1 where run_id = $1', [run.id])
    const entries = [{ messageType: 'FINAL_ANSWER' as const, observation: 'Done' }]
    await finishTurn(app.pool, { holder, end: { status: 'completed', result: 'Done', summary: null }, entries, mask })
    app.notifier.notifyRun(run.id)
  }
  if (count) await append(count)
  return { run, holder, append, end, path: `${me.path}/agent/run/${run.id}` }
}

const open = (path: string, headers: Record<string, string> = {}) =>
  openStream(url + path, { authorization: `Bearer ${me.token}`, ...headers })

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10)
}

test('a stream begins with the run, tells each entry as the log has it, and ends with the run’s end', async () => {
  const { path, append, end } = await makeWorkingRun(3)
  const stream = await open(`${path}/logs/stream`)
  assert.equal(stream.status, 200)
  const first = await stream.next()
  assert.deepEqual(first, { event: 'status', id: null, data: (await ask(path, { token: me.token })).body })
  await append(1)
  await end()
  const events = await stream.until('end')
  assert.equal(await stream.next(), undefined, 'the stream closes')
  const { logs } = (await ask(`${path}/logs`, { token: me.token })).body as { logs: { seq: number }[] }
  assert.deepEqual(
    events.filter(({ event }) => event === 'log'),
    logs.map((entry) => ({ event: 'log', id: entry.seq, data: entry })),
  )
  assert.deepEqual(
    events.slice(-2).map(({ event, data }) => [event, data.status]),
    [
      ['status', 'completed'],
      ['end', 'completed'],
    ],
  )
})

test('what a stream says of itself keeps caches and proxies from holding it', async () => {
  const { path } = await makeWorkingRun(1)
  const stream = await open(`${path}/logs/stream`)
  assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(stream.headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(stream.headers.get('x-accel-buffering'), 'no')
  assert.ok(stream.headers.get('x-request-id'))
  stream.close()
  const head = await ask(`${path}/logs/stream`, { method: 'HEAD', token: me.token })
  assert.equal(head.status, 200)
})

test('a change of the run’s detail is told at once', async () => {
  const { path, run } = await makeWorkingRun(0)
  const stream = await open(`${path}/logs/stream`)
  await stream.until('status')
  const times: number[] = []
  for (const detail of ['cloning', 'working', 'creating_pr', 'cleaning']) {
    await app.pool.query('update run_heads set status_detail = $2, revision = revision + 1 where run_id = $1', [
      run.id,
      detail,
    ])
    app.notifier.notifyRun(run.id)
    const began = performance.now()
    assert.equal((await stream.next())?.data.status_detail, detail)
    times.push(performance.now() - began)
  }
  // One at least: the machine may be busy.
  assert.ok(Math.min(...times) < 800, `a notification tells it, not the slow look: ${times.join(', ')} ms`)
  stream.close()
})

test('what no notification tells of is seen all the same', async () => {
  const { path, run, holder } = await makeWorkingRun(0)
  const stream = await open(`${path}/logs/stream`)
  await stream.until('status')
  const lines = logLines([{ messageType: 'ACTION', toolName: 'shell' }], { turn: 1, mask })
  await appendLog(app.pool, { ...holder, lines })
  assert.equal((await stream.next())?.data.agent_run_id, run.id)
  stream.close()
})

test('a stop by a request is told, and ends the stream', async () => {
  const run = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  const path = `${me.path}/agent/run/${run.id}`
  const stream = await open(`${path}/logs/stream`)
  await stream.until('status')
  await ask(`${path}/cancel`, { method: 'POST', token: me.token })
  const events = await stream.until('end')
  assert.deepEqual(
    events.map(({ event, data }) => `${event} ${data.status}`),
    ['status cancelled', 'end cancelled'],
  )
})

test('a cursor is taken up exactly, or refused; never passed over', async () => {
  const { path, end } = await makeWorkingRun(450)
  const seqs = async (query: string, headers: Record<string, string> = {}) => {
    const stream = await open(`${path}/logs/stream${query}`, headers)
    const events = stream.status === 200 ? await stream.until('end') : []
    return { status: stream.status, seqs: events.flatMap(({ event, id }) => (event === 'log' ? [id] : [])) }
  }
  const waiting = await open(`${path}/logs/stream?after_seq=450`)
  await waiting.until('status')
  await end()
  assert.deepEqual(
    (await waiting.until('end')).flatMap(({ id }) => id ?? []),
    [451],
  )
  for (const after of [0, 1, 199, 200, 201, 450]) {
    assert.deepEqual((await seqs(`?after_seq=${after}`)).seqs, upTo(451, after + 1))
    assert.deepEqual((await seqs('', { 'last-event-id': String(after) })).seqs, upTo(451, after + 1))
  }
  assert.deepEqual((await seqs('')).seqs, upTo(451))
  assert.equal((await seqs('?after_seq=451')).status, 204)
  assert.equal((await seqs('', { 'last-event-id': '451' })).status, 204)
  const wrong = ['452', '460', '1000000000000000000', '-1', '1.5', '01', '1e2', 'abc', '', '451,451', '%00']
  for (const cursor of wrong) {
    assert.equal((await seqs(`?after_seq=${cursor}`)).status, 400, cursor)
    if (cursor !== '%00') assert.equal((await seqs('', { 'last-event-id': cursor })).status, 400, cursor)
  }
  assert.equal((await seqs('?after_seq=1&after_seq=2')).status, 400)
  // A cursor of another run is a number like any other: exact where this log has it, refused beyond.
  const other = await makeWorkingRun(460)
  const elsewhere = await open(`${other.path}/logs/stream?after_seq=459`)
  const last = (await elsewhere.until('log')).at(-1)
  elsewhere.close()
  assert.equal((await seqs('', { 'last-event-id': String(last?.id) })).status, 400)
  assert.deepEqual((await seqs('?after_seq=1', { 'last-event-id': '449' })).seqs, [450, 451], 'the header goes first')
})

test('a refusal says where the fault lies', async () => {
  const { path } = await makeWorkingRun(2)
  const answer = await ask(`${path}/logs/stream`, { token: me.token, headers: { 'last-event-id': '3' } })
  assert.partialDeepStrictEqual(answer.body, {
    code: 'invalid_request',
    detail: [{ loc: ['header', 'Last-Event-ID'] }],
  })
})

test('every answer of a stream that is no stream is documented', async () => {
  const check = documented(JSON.parse((await ask('/openapi.json')).text))
  const { run, path, end } = await makeWorkingRun(1)
  await end()
  const token = me.token
  const stranger = await member()
  const asked: [number, string, Ask][] = [
    [204, `${path}/logs/stream?after_seq=2`, { token }],
    [400, `${path}/logs/stream?after_seq=3`, { token }],
    [401, `${path}/logs/stream`, {}],
    [401, `${path}/logs/stream?ticket=none`, {}],
    [403, `${path}/logs/stream`, { token: stranger.token }],
    [404, `${stranger.path}/agent/run/${run.id}/logs/stream`, { token: stranger.token }],
    [406, `${path}/logs/stream`, { token, headers: { accept: 'application/json' } }],
  ]
  for (const [status, url, request] of asked) {
    const answer = await ask(url, request)
    assert.equal(answer.status, status, url)
    check(streamLogRoute, answer)
  }
})

test('a run that ended before anything was logged has a stream of its end', async () => {
  const run = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  await ask(`${me.path}/agent/run/${run.id}/cancel`, { method: 'POST', token: me.token })
  const stream = await open(`${me.path}/agent/run/${run.id}/logs/stream`)
  assert.deepEqual(
    (await stream.until('end')).map(({ event }) => event),
    ['status', 'end'],
  )
})

test('a next turn is a new stream, which goes on after the last entry', async () => {
  const { path, run, end } = await makeWorkingRun(1)
  await end()
  const body = { agent_run_id: run.id, prompt: 'Again' }
  await ask(`${me.path}/agent/run/resume`, { method: 'POST', token: me.token, body })
  const stream = await open(`${path}/logs/stream`, { 'last-event-id': '2' })
  assert.partialDeepStrictEqual(await stream.next(), { event: 'status', data: { status: 'queued', turn: 2 } })
  stream.close()
})

test('a hundred readers who lose their connection again and again each read every entry once, in order', async () => {
  const total = 10_000
  const { path, run, append, end } = await makeWorkingRun(0)
  const writing = (async () => {
    for (let written = 0; written < total - 1; written += 303) await append(Math.min(303, total - 1 - written))
    await end()
  })()
  let cuts = 0
  const read = async () => {
    let last = 0
    for (;;) {
      const stream = await open(`${path}/logs/stream`, last ? { 'last-event-id': String(last) } : {})
      if (stream.status === 204) return last
      const timer = setTimeout(stream.close, 100 + Math.random() * 400)
      for (let event = await stream.next(); event; event = await stream.next()) {
        if (event.event === 'end') {
          clearTimeout(timer)
          return last
        }
        if (event.event !== 'log') continue
        assert.equal(event.id, last + 1)
        if (last % 50 === 0) assert.equal(event.data.seq, event.id)
        last++
      }
      clearTimeout(timer)
      cuts++
    }
  }
  const ends = await Promise.all(Array.from({ length: 100 }, read))
  await writing
  assert.deepEqual(new Set(ends), new Set([total]))
  assert.ok(cuts >= 100, `only ${cuts} cuts`)
  assert.equal(
    (await one<{ n: number }>(app.pool, 'select count(*) as n from log_entries where run_id = $1', [run.id])).n,
    total,
  )
})

test('one connection listens, however many follow, and nothing stays behind when they go', async () => {
  const { path } = await makeWorkingRun(1)
  await until(() => app.subscriptions.readers === 0)
  const streams = await Promise.all(Array.from({ length: 50 }, () => open(`${path}/logs/stream`)))
  for (const stream of streams) await stream.until('log')
  assert.equal(app.subscriptions.readers, 50)
  const { n } = await one<{ n: number }>(
    app.pool,
    `select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'runwright listener'`,
  )
  assert.equal(n, 1)
  for (const stream of streams) stream.close()
  await until(() => app.subscriptions.readers === 0)
})
