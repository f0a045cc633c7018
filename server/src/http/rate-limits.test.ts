import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendStreamTicket } from '#domain/accounts/tokens/spend-stream-ticket.ts'
import { documented, type Document } from '#test/documented.ts'
import { makeRun } from '#test/make-run.ts'
import { openStream } from '#test/open-stream.ts'
import { testApp, type Answer, type Ask } from '#test/test-app.ts'
import { routes } from './routes/index.ts'

const { app, ask, member, url } = await testApp({
  rateLimits: 'standard=5/30,creation=2/60,logs=8/60,setup=1/60,analysis=1/60',
})
const assertDocumented = documented(JSON.parse((await ask('/openapi.json')).text) as Document)

/** One token and what it sends. */
async function caller() {
  const me = await member()
  const send = (path: string, request: Ask = {}) => ask(`${me.path}${path}`, { token: me.token, ...request })
  return {
    me,
    send,
    list: () => send('/agent/runs'),
    create: () => send('/agent/run', { method: 'POST', body: { prompt: 'Go' } }),
    logs: (id: unknown = 1) => send(`/agent/run/${id}/logs`),
  }
}

type Limit = { policy: string; limit: number; window_seconds: number; remaining: number; resets_at: string | null }

const remainingOf = (answer: Answer) =>
  Object.fromEntries((answer.body.items as Limit[]).map(({ policy, remaining }) => [policy, remaining]))

test('every answer says what is left', async () => {
  const { list } = await caller()
  const began = Date.now()
  const { status, headers } = await list()
  assert.equal(status, 200)
  assert.equal(headers.get('ratelimit-policy'), '"standard";q=5;w=30, "logs";q=8;w=60')
  // A second may have begun since.
  assert.match(headers.get('ratelimit') ?? '', /^"standard";r=4;t=(?:30|29), "logs";r=7;t=(?:60|59)$/)
  assert.equal(headers.get('x-ratelimit-limit'), '5')
  assert.equal(headers.get('x-ratelimit-remaining'), '4')
  const reset = Number(headers.get('x-ratelimit-reset')) * 1_000
  assert.ok(reset >= began + 30_000 && reset <= Date.now() + 31_000)
  assert.equal(headers.get('retry-after'), null)
})

test('the policy nearest its end is the one that the older headers tell of', async () => {
  const { list, create } = await caller()
  for (let n = 0; n < 4; n++) await list()
  const nearest = ({ headers }: Answer) =>
    ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`)).join(' ')
  assert.equal(nearest(await create()), '2 1')
  assert.equal(nearest(await list()), '5 0')
  assert.equal(nearest(await create()), '2 0')
})

test('a request beyond its policy is refused, told when to come again, and charged to nothing', async () => {
  const { create, send } = await caller()
  await create()
  await create()
  for (let n = 0; n < 3; n++) {
    const refused = await create()
    assert.equal(refused.status, 429)
    assert.partialDeepStrictEqual(refused.body, { code: 'rate_limited', status_code: 429 })
    assert.match(String(refused.body.message), /2 requests of the policy "creation" in 60 seconds/)
    assert.equal(refused.headers.get('ratelimit'), `"creation";r=0;t=${refused.headers.get('retry-after')}`)
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds >= 55 && seconds <= 60)
  }
  const shown = await send('/rate-limits')
  assert.deepEqual(remainingOf(shown), { creation: 0, setup: 1, analysis: 1, logs: 5, standard: 4 })
})

test('reading logs is refused when requests of any kind have filled the shared window, and nothing else is', async () => {
  const { list, create, logs } = await caller()
  const { body: run } = await create()
  for (let n = 0; n < 5; n++) assert.equal((await list()).status, 200)
  assert.equal((await logs(run.id)).status, 200)
  assert.equal((await logs(run.id)).status, 200)
  const refused = await logs(run.id)
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('ratelimit') ?? '', /^"logs";r=0;t=\d+$/)
  // Beyond the shared window the others still pass by their own.
  const passed = await create()
  assert.equal(passed.status, 200)
  assert.match(passed.headers.get('ratelimit') ?? '', /^"creation";r=0;t=\d+, "logs";r=0;t=\d+$/)
  assert.equal((await create()).status, 429)
})

test('both addresses of the logs are one policy', async () => {
  const { me, logs } = await caller()
  const path = me.path.replace('/v1/', '/v1/alpha/')
  for (let n = 0; n < 4; n++) {
    await logs()
    await ask(`${path}/agent/run/1/logs`, { token: me.token })
  }
  assert.equal((await logs()).status, 429)
  assert.equal((await ask(`${path}/agent/run/1/logs`, { token: me.token })).status, 429)
})

test('each token has limits of its own', async () => {
  const [mine, theirs] = [await caller(), await caller()]
  for (let n = 0; n < 6; n++) await mine.list()
  assert.equal((await mine.list()).status, 429)
  assert.equal((await theirs.list()).status, 200)
})

test('of a burst of twice the limit exactly the limit passes', async () => {
  const { list } = await caller()
  const answers = await Promise.all(Array.from({ length: 10 }, list))
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  assert.equal(answers.filter(({ status }) => status === 429).length, 5)
})

test('unknown paths, wrong methods and bad tokens are not charged; every other refusal is', async () => {
  const { me, send } = await caller()
  await send('/nowhere')
  await send('/agent/runs', { method: 'DELETE' })
  await send('/agent/runs', { token: 'rw_wrong' })
  const charged: [string, Ask, number][] = [
    ['/agent/runs', { headers: { accept: 'text/csv' } }, 406],
    ['/agent/runs?limit=0', {}, 400],
    ['/agent/run/999999', {}, 404],
  ]
  for (const [path, request, status] of charged) {
    const answer = await send(path, request)
    assert.equal(answer.status, status)
    assert.ok(answer.headers.get('ratelimit'))
  }
  const elsewhere = await ask('/v1/organizations/999999/agent/runs', { token: me.token })
  assert.equal(elsewhere.status, 403)
  assert.match(elsewhere.headers.get('ratelimit') ?? '', /^"standard";r=1;t=\d\d, "logs";r=4;t=\d\d$/)
  assert.equal(remainingOf(await send('/rate-limits')).standard, 0)
})

test('the limit is checked after the token and before all else', async () => {
  const { me, list } = await caller()
  for (let n = 0; n < 5; n++) await list()
  const path = '/v1/organizations/999999/agent/runs?limit=0'
  assert.equal((await ask(path, { headers: { accept: 'text/csv' } })).status, 401)
  assert.equal((await ask(path, { token: me.token, headers: { accept: 'text/csv' } })).status, 429)
  assert.equal((await ask('/v1/nowhere', { token: me.token })).status, 404)
  assert.equal((await ask(`${me.path}/agent/runs`, { method: 'PUT', token: me.token })).status, 405)
  assert.equal((await ask('/healthz', { token: me.token })).status, 200)
})

test('opening a stream is a standard request, and refused beyond their number', async () => {
  const { me } = await caller()
  const run = await makeRun(app.pool, me)
  const headers = { authorization: `Bearer ${me.token}` }
  for (const path of ['/agent/runs/stream', `/agent/run/${run.id}/logs/stream`]) {
    const before = (await openStream(`${url}${me.path}${path}`, headers)).headers.get('ratelimit')
    const stream = await openStream(`${url}${me.path}${path}`, headers)
    assert.notEqual(before, stream.headers.get('ratelimit'))
    assert.match(stream.headers.get('ratelimit-policy') ?? '', /^"standard"/)
    stream.close()
  }
  await openStream(`${url}${me.path}/agent/runs/stream`, headers)
  const refused = await openStream(`${url}${me.path}/agent/runs/stream`, headers)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.partialDeepStrictEqual(JSON.parse(await refused.text()), { code: 'rate_limited' })
})

test('a ticket that comes too early is refused, and stays good', async () => {
  const { me, send, list } = await caller()
  const ticket = String((await send('/stream-tickets', { method: 'POST' })).body.ticket)
  for (let n = 0; n < 4; n++) await list()
  assert.equal((await ask(`${me.path}/agent/runs/stream?ticket=${ticket}`)).status, 429)
  assert.equal(await spendStreamTicket(app.pool, app.tokenKeys, ticket), true)
  assert.equal((await ask(`${me.path}/agent/runs/stream?ticket=${ticket}`)).status, 401)
})

test('the limits of a token can be read, page by page', async () => {
  const { send } = await caller()
  const { body } = await send('/rate-limits')
  assert.deepEqual(
    (body.items as Limit[]).map(({ resets_at, ...limit }) => ({ ...limit, resets: resets_at !== null })),
    [
      { policy: 'creation', limit: 2, window_seconds: 60, remaining: 2, resets: false },
      { policy: 'setup', limit: 1, window_seconds: 60, remaining: 1, resets: false },
      { policy: 'analysis', limit: 1, window_seconds: 60, remaining: 1, resets: false },
      { policy: 'logs', limit: 8, window_seconds: 60, remaining: 7, resets: true },
      { policy: 'standard', limit: 5, window_seconds: 30, remaining: 4, resets: true },
    ],
  )
  const last = await send('/rate-limits?skip=4&limit=2')
  assert.partialDeepStrictEqual(last.body, { total: 5, page: 3, size: 2, pages: 3 })
  assert.deepEqual(remainingOf(last), { standard: 3 })
})

for (const route of routes.filter(({ policy }) => policy !== null)) {
  test(`${route.operationId}: a token that has used up its limit is refused as documented`, async () => {
    const { me, list, create, logs } = await caller()
    const path = route.path.replace(':org_id', String(me.organizationId)).replaceAll(/:\w+/g, '1')
    const send = () => ask(path, { method: route.method, token: me.token, ...(route.body && { body: {} }) })
    const useUp = { standard: list, creation: create, logs, setup: send, analysis: send, session: send }[route.policy!]
    while ((await useUp()).status !== 429);
    const answer = await send()
    assert.equal(answer.status, 429)
    assertDocumented(route, answer)
  })
}
