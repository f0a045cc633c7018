import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLogger } from '#base/logger.ts'
import { openPool } from '#db/pool.ts'
import { watchOverview } from '#domain/runs/overview/watch-overview.ts'
import { sendRaw } from '#test/open-socket.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from './build-server.ts'

let isFixed = false
const { app, ask, member, rateLimiter, url } = await testApp({
  problems: async () => (isFixed ? [] : ['The sandbox is missing.']),
})
let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

test('checks come in their order: path, method, token, organization, types, input, ids', async () => {
  const nothing = `${me.path}/agent/run`
  const steps: [string, Parameters<typeof ask>[1], number][] = [
    [`${me.path}/agent/jog`, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }, 404],
    [nothing, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } }, 405],
    [nothing, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }, 401],
    [
      '/v1/organizations/999999/agent/run',
      { method: 'POST', token: me.token, body: 'x', headers: { 'content-type': 'text/plain' } },
      403,
    ],
    [
      nothing,
      { method: 'POST', token: me.token, body: 'x', headers: { 'content-type': 'text/plain', accept: 'text/csv' } },
      406,
    ],
    [nothing, { method: 'POST', token: me.token, body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    [nothing, { method: 'POST', token: me.token, body: 'x'.repeat(21_000_000) }, 413],
    [nothing, { method: 'POST', token: me.token, body: { repo_id: 999_999 } }, 400],
    [nothing, { method: 'POST', token: me.token, body: { repo_id: 999_999, prompt: 'Go' } }, 404],
  ]
  for (const [path, request, status] of steps)
    assert.equal((await ask(path, request)).status, status, `${path} ${status}`)
})

test('a wrong method is told what the path takes; fixed words are never taken for ids', async () => {
  const allowed = async (method: string, path: string) => {
    const answer = await ask(`${me.path}${path}`, { method })
    assert.equal(answer.body.code, 'method_not_allowed', `${method} ${path}`)
    return answer.headers.get('allow')
  }
  assert.equal(await allowed('GET', '/agent/run/resume'), 'POST')
  assert.equal(await allowed('PUT', '/agent/run/7'), 'DELETE, GET, HEAD, PATCH')
  assert.equal(await allowed('PUT', '/repos'), 'GET, HEAD, POST')
  assert.equal(await allowed('OPTIONS', '/agent/run'), 'POST')
  assert.equal(await allowed('PROPFIND', '/agent/run'), 'POST')
})

test('without a good token the answer is 401 and how to do better', async () => {
  const tokens = ['', ' ', 'x', `rw_${'0'.repeat(36)}`, `${me.token}x`, me.token.slice(0, -1)]
  const headers = [...tokens.map((token) => `Bearer ${token}`), me.token, `Basic ${me.token}`, 'Bearer']
  for (const authorization of headers) {
    const answer = await ask('/v1/users/me', { headers: { authorization } })
    assert.equal(answer.status, 401, authorization)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
  assert.equal((await ask(`/v1/users/me?token=${me.token}&access_token=${me.token}`)).status, 401)
  assert.equal((await ask('/v1/users/me', { headers: { authorization: `bearer ${me.token}` } })).status, 200)
})

test('two Authorization headers are refused', async () => {
  const header = `Authorization: Bearer ${me.token}\r\n`
  const answer = await sendRaw(
    url,
    `GET /v1/users/me HTTP/1.1\r\nHost: x\r\n${header}${header}Connection: close\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 400 /)
})

test('every answer carries a request id: the client’s own if it is a plain word', async () => {
  const idOf = async (options: string) =>
    (await ask('/healthz', { headers: { 'x-request-id': options } })).headers.get('x-request-id')
  assert.equal(await idOf('my-request_7'), 'my-request_7')
  for (const bad of ['x'.repeat(65), 'a b', 'a"b', '<x>']) assert.match((await idOf(bad)) ?? '', /^[0-9a-f-]{36}$/)
})

test('errors come as problem+json to those who ask', async () => {
  const answer = await ask(`${me.path}/agent/runs?limit=0`, {
    token: me.token,
    headers: { accept: 'application/problem+json' },
  })
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.partialDeepStrictEqual(answer.body, {
    title: 'Bad Request',
    status: 400,
    code: 'invalid_request',
    detail: 'The request is not valid: query.limit must be >= 1.',
    errors: [{ loc: ['query', 'limit'], msg: 'must be >= 1', type: 'minimum' }],
  })
})

test('what Node itself refuses has our body too', async () => {
  const large = await sendRaw(url, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`)
  assert.match(large, /^HTTP\/1\.1 431 [^]*x-request-id: [0-9a-f-]{36}[^]*"code":"headers_too_large"/)
})

test('what keeps the service from working is in its status, and takes no process out of a balancer', async () => {
  const status = await ask('/statusz')
  assert.equal(status.status, 503)
  assert.match(String(status.body.message), /sandbox is missing/)
  assert.ok(Number(status.headers.get('retry-after')) > 0)
  assert.equal((await ask('/readyz')).status, 200)
  isFixed = true
  // What was found is said for a second.
  while ((await ask('/statusz')).status !== 200) await sleep(50)
})

test('while the database is away the answer is 503, and health goes on', async () => {
  const pool = openPool('postgres://nobody@127.0.0.1:1/nothing')
  const server = await buildServer({
    app: { ...app, pool, watchOverview: watchOverview(pool), tokenKeys: { ...app.tokenKeys, seen: new Map() } },
    rateLimiter,
  })
  const get = (path: string) => server.inject({ url: path, headers: { authorization: `Bearer ${me.token}` } })
  const away = await get('/v1/users/me')
  assert.equal(away.statusCode, 503)
  assert.partialDeepStrictEqual(away.json(), { status_code: 503, code: 'unavailable' })
  assert.ok(away.headers['retry-after'])
  for (const probe of ['/readyz', '/statusz']) {
    const unready = await get(probe)
    assert.equal(unready.statusCode, 503)
    assert.equal(unready.json<{ message: string }>().message, 'PostgreSQL cannot be reached.')
  }
  assert.equal((await get('/healthz')).statusCode, 200)
  await server.close()
  await pool.end()
})

test('a fault of ours answers 500 with nothing but an id to find it by', async () => {
  let logged = ''
  const logger = openLogger({ level: 'error', destination: { write: (line) => (logged += line) } })
  const diff = () => Promise.reject(new Error('the secret plan'))
  const hosts: typeof app.hosts = { ...app.hosts, git: (repo) => ({ ...app.hosts.git(repo), diff }) }
  const server = await buildServer({ app: { ...app, hosts, logger }, rateLimiter })
  const { body: run } = await ask(`${me.path}/agent/run`, { method: 'POST', token: me.token, body: { prompt: 'Go' } })
  await app.pool.query(`update runs set branch_commit = 'x' where id = $1`, [run.id])
  const answer = await server.inject({
    url: `${me.path}/agent/run/${run.id}/diff`,
    headers: { authorization: `Bearer ${me.token}` },
  })
  assert.equal(answer.statusCode, 500)
  assert.equal(answer.json<{ code: string }>().code, 'internal')
  assert.ok(!answer.body.includes('secret plan'))
  assert.ok(logged.includes('secret plan') && logged.includes(String(answer.headers['x-request-id'])))
  assert.ok(!logged.includes(me.token))
  await server.close()
})

test('HEAD answers as GET does, without a body', async () => {
  const answer = await ask(`${me.path}/agent/runs`, { method: 'HEAD', token: me.token })
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '')
})
