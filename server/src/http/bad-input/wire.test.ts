import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '#base/limits.ts'
import { openSocket, sendRaw } from '#test/open-socket.ts'
import { testApp } from '#test/test-app.ts'
import { openGitGateway } from '#git/open-git-gateway.ts'
import { buildServer } from '#http/build-server.ts'

const { app, ask, member, rateLimiter, url } = await testApp()
const gitGateway = openGitGateway(app)
const impatient = await buildServer({ app, rateLimiter, gitGateway, arrival: { headersMs: 400, bodyMs: 400 } })
const impatientUrl = await impatient.listen({ port: 0, host: '127.0.0.1' })
after(() => impatient.close())

let me: Awaited<ReturnType<typeof member>>
/** Headers that never come to their end, and when the connection was closed. */
let unfinishedHeaders: Promise<{ answer: string; ms: number }>
before(async () => {
  me = await member()
  const began = performance.now()
  unfinishedHeaders = sendRaw(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ').then((answer) => ({
    answer,
    ms: performance.now() - began,
  }))
})

const bearer = () => `Authorization: Bearer ${me.token}\r\n`
const json = 'Content-Type: application/json\r\n'
/** The head of a request to start a run, but for its last line. */
const head = () => `POST ${me.path}/agent/run HTTP/1.1\r\nHost: x\r\n${json}${bearer()}`
const countRuns = async () => (await ask(`${me.path}/agent/runs?limit=1`, { token: me.token })).body.total

/** An error in the form that every error has, its request id the one of the header. */
function assertRefused(answer: string, status: number, code: string): void {
  const [top = '', body = ''] = answer.slice(answer.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n')
  assert.match(top, new RegExp(`^HTTP/1\\.1 ${status} `), answer.slice(0, 500))
  const { request_id, ...rest } = JSON.parse(body) as Record<string, unknown>
  assert.partialDeepStrictEqual(rest, { status_code: status, code })
  assert.ok(String(rest.message).length > 10)
  assert.equal(/^x-request-id: (.*)$/im.exec(top)?.[1], request_id)
}

test('a request whose end can be read in two ways is refused', async () => {
  const earlier = await countRuns()
  const wrong = [
    'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 15\r\n\r\n{"prompt":"Go"}',
    'Transfer-Encoding: xchunked\r\n\r\n{"prompt":"Go"}',
    'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Content-Length: 14\r\nContent-Length: 15\r\n\r\n{"prompt":"Go"}',
    'Content-Length: 15\r\nContent-Length: 15\r\n\r\n{"prompt":"Go"}',
    'Content-Length: 15, 15\r\n\r\n{"prompt":"Go"}',
    'Content-Length: +15\r\n\r\n{"prompt":"Go"}',
    'Content-Length: -1\r\n\r\n',
    'Content-Length : 15\r\n\r\n{"prompt":"Go"}',
    `Content-Length: 1${'0'.repeat(30)}\r\n\r\n`,
    'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n',
    `Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    'X-Folded: one\r\n two\r\nContent-Length: 15\r\n\r\n{"prompt":"Go"}',
    'X-Nul: a\0b\r\nContent-Length: 15\r\n\r\n{"prompt":"Go"}',
  ]
  for (const rest of wrong) assertRefused(await sendRaw(url, `${head()}${rest}`), 400, 'invalid_request')
  assert.equal(await countRuns(), earlier)
})

test('what is no HTTP is refused', async () => {
  const wrong = [
    'nonsense\r\n\r\n',
    'GET /healthz HTTP/1.1\nHost: x\n\n',
    'GET /healthz HTTP/1.1\rHost: x\r\r',
    'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'JUMP /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'get /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ]
  for (const text of wrong) assertRefused(await sendRaw(url, Buffer.from(text, 'latin1')), 400, 'invalid_request')
})

test('a request names one host, once', async () => {
  const get = (headers: string) => sendRaw(url, `GET /healthz HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  assertRefused(await get(''), 400, 'invalid_request')
  assertRefused(await get('Host: one\r\nHost: two\r\n'), 400, 'invalid_request')
  assert.match(await get('Host: anything\r\n'), /^HTTP\/1\.1 200 /)
  assert.match(await sendRaw(url, 'GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
})

test('the service is no proxy, and does not say of itself what a request calls it', async () => {
  assertRefused(
    await sendRaw(url, 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n'),
    400,
    'invalid_request',
  )
  const { body: run } = await ask(`${me.path}/agent/run`, { method: 'POST', token: me.token, body: { prompt: 'Go' } })
  const answer = await sendRaw(
    url,
    `GET http://elsewhere${me.path}/agent/run/${run.id} HTTP/1.1\r\nHost: elsewhere\r\nX-Forwarded-Host: elsewhere\r\n${bearer()}Connection: close\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.ok(answer.includes(String(run.web_url)) && !answer.includes('elsewhere'))
})

test('whatever is expected besides a go-ahead is passed over', async () => {
  const get = `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bearer()}`
  assert.match(await sendRaw(url, `${get}Expect: tea\r\n\r\n`), /^HTTP\/1\.1 200 [^]*x-request-id/)
  assert.match(await sendRaw(url, `${get}Upgrade: websocket\r\n\r\n`), /^HTTP\/1\.1 200 /)
  const { socket, until } = openSocket(url, `${head()}Content-Length: 15\r\nExpect: 100-continue\r\n\r\n`)
  await until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  socket.write('{"prompt":"Go"}')
  await until(/HTTP\/1\.1 200 OK[^]*"status":"queued"/)
  socket.destroy()
})

test('methods that a path does not take are refused as such, however strange', async () => {
  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'SOURCE', 'M-SEARCH', 'PUT']) {
    const answer = await sendRaw(url, `${method} /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assertRefused(answer, 405, 'method_not_allowed')
    assert.match(answer, /^allow: DELETE, GET, HEAD, PATCH\r$/im)
    assert.ok(!answer.includes(me.token))
  }
})

test('a path is taken literally: no way of writing it leads elsewhere', async () => {
  const missing = [
    '/v1/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/v1/./users/me',
    '/v1/x/../users/me',
    '/v1/%2e%2e/v1/users/me',
    '/v1//users/me',
    '//v1/users/me',
    '/v1/users/me/',
    '/v1/users%2Fme',
    '/v1/users/me%2f',
    '/v1%5cusers%5cme',
    '/v1\\users\\me',
    '/v1/users/me;x=1',
    '/v1/users;x/me',
    '/v1/users/me%00',
    '/v1/users/me%20',
    '/v1/users/me%3fx',
    '/v1/users/%256de',
    '/V1/users/me',
    `/${'a'.repeat(9_000)}`,
    '/assets/../build-server.ts',
    '/assets/%2e%2e/build-server.ts',
    '/assets/..%2fbuild-server.ts',
    '/favicon.svg%00',
  ]
  const get = (target: string) =>
    sendRaw(url, Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n${bearer()}Connection: close\r\n\r\n`, 'latin1'))
  for (const target of missing) assertRefused(await get(target), 404, 'route_not_found')
  const malformed = ['/v1/users/%', '/v1/users/%c0%af', '/v1/users/%ff', '/v1/users/%zz', '/\xff']
  for (const target of malformed) assertRefused(await get(target), 400, 'invalid_request')
  assert.match(await get('/v1/users/%6de?x#y'), /^HTTP\/1\.1 200 /)
})

test('a body shorter than it says is given up, one longer is no second request', async () => {
  for (const rest of [
    'Content-Length: 100\r\n\r\n{"prompt":"Go"}',
    'Transfer-Encoding: chunked\r\n\r\nf\r\n{"prompt":"Go"}\r\n',
  ])
    assertRefused(await sendRaw(impatientUrl, `${head()}${rest}`), 408, 'request_timeout')
  const earlier = await countRuns()
  const answer = await sendRaw(url, `${head()}Content-Length: 2\r\n\r\n{"prompt":"Go"}`)
  assertRefused(answer, 400, 'invalid_request')
  assert.equal(await countRuns(), earlier)
})

test('a body that drips in without an end is given up in its time', async () => {
  const { socket, closed } = openSocket(impatientUrl, `${head()}Transfer-Encoding: chunked\r\n\r\n`)
  const drip = setInterval(() => socket.write('1\r\n{\r\n'), 20)
  const began = performance.now()
  assertRefused(await closed.finally(() => clearInterval(drip)), 408, 'request_timeout')
  assert.ok(performance.now() - began < limits.headersMs)
})

test('a refused request whose body goes on coming holds its connection no longer than a body may take', async () => {
  const head = `POST ${me.path}/agent/run HTTP/1.1\r\nHost: x\r\n${json}`
  const kept = openSocket(impatientUrl, `${head}Content-Length: 2\r\n\r\n`)
  await kept.until(/^HTTP\/1\.1 401 /)
  const { socket, closed } = openSocket(impatientUrl, `${head}Transfer-Encoding: chunked\r\n\r\n`)
  kept.socket.write('{}')
  const drip = setInterval(() => socket.write('1\r\n{\r\n'), 20)
  assertRefused(await closed.finally(() => clearInterval(drip)), 401, 'unauthorized')
  // Whose body has come to its end is not cut off with the other.
  kept.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match(await kept.closed, /HTTP\/1\.1 200 /)
})

test('a push that nobody may make holds its connection no longer either', async () => {
  const path = `/git/${me.organizationId}/nothing.git/git-receive-pack`
  const type = 'Content-Type: application/x-git-receive-pack-request'
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const { socket, closed } = openSocket(impatientUrl, head)
  const drip = setInterval(() => socket.write('1\r\n{\r\n'), 20)
  const began = performance.now()
  assert.match(await closed.finally(() => clearInterval(drip)), /^HTTP\/1\.1 401 /)
  assert.ok(performance.now() - began < limits.headersMs)
})

test('an address that is too long is refused', async () => {
  assertRefused(await sendRaw(url, `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 431, 'headers_too_large')
})

test('a gigabyte that streams in is refused while it is small, and fills no memory', async () => {
  for (const [path, bytesMax] of [
    [`${me.path}/rules`, 1 * 2 ** 20],
    [`${me.path}/agent/run`, 20 * 2 ** 20],
  ] as const) {
    const method = path.endsWith('rules') ? 'PUT' : 'POST'
    const { socket, closed } = openSocket(
      url,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\n${json}${bearer()}Transfer-Encoding: chunked\r\n\r\n`,
    )
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')])
    const memory = process.memoryUsage().rss
    let sent = 0
    for (; sent < 2 ** 30 && socket.writable; sent += 0x10000)
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    // Whoever goes on sending may be cut off before it has read why.
    const answer = await closed
    if (answer !== '') assertRefused(answer, 413, 'body_too_large')
    assert.ok(sent < bytesMax + 16 * 2 ** 20, `${sent} bytes were taken`)
    assert.ok(process.memoryUsage().rss - memory < 150 * 2 ** 20)
  }
})

test('requests sent one after another without waiting are answered in their order', async () => {
  const paths = Array.from({ length: 100 }, (_, n) => (n % 3 ? `/nothing/${n}` : '/healthz'))
  const answer = await sendRaw(
    url,
    paths
      .map((path, n) => {
        const close = n === paths.length - 1 ? 'Connection: close\r\n' : ''
        return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: request-${n}\r\n${close}\r\n`
      })
      .join(''),
  )
  const ids = [...answer.matchAll(/^x-request-id: request-(\d+)\r$/gim)].map(([, n]) => Number(n))
  assert.deepEqual(ids, [...paths.keys()])
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  assert.deepEqual(
    statuses,
    paths.map((path) => (path === '/healthz' ? 200 : 404)),
  )
})

test('hundreds of connections that send a byte now and then are closed, and slow nobody down', async () => {
  const middle = async () => {
    const times: number[] = []
    for (let n = 0; n < 60; n++) {
      const began = performance.now()
      await (await fetch(`${impatientUrl}/v1/users/me`, { headers: { authorization: `Bearer ${me.token}` } })).text()
      times.push(performance.now() - began)
    }
    return times.sort((one, other) => one - other)[30]!
  }
  await middle()
  // What else the machine does may slow one try down, not all of them.
  const slowedBy: number[] = []
  while (!slowedBy.some((times) => times < 3) && slowedBy.length < 5) {
    const earlier = await middle()
    const sockets = Array.from({ length: 300 }, () =>
      openSocket(impatientUrl, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: '),
    )
    const drip = setInterval(() => sockets.forEach(({ socket }) => socket.writable && socket.write('x')), 50)
    slowedBy.push((await middle()) / earlier)
    const answers = await Promise.all(sockets.map(({ closed }) => closed)).finally(() => clearInterval(drip))
    for (const answer of answers) assertRefused(answer, 408, 'request_timeout')
  }
  assert.ok(
    slowedBy.some((times) => times < 3),
    `${slowedBy.join(', ')} times as long`,
  )
})

test('headers have ten seconds to arrive', async () => {
  const { answer, ms } = await unfinishedHeaders
  assertRefused(answer, 408, 'request_timeout')
  assert.ok(ms > 9_900 && ms < limits.bodyMs, `${ms} ms`)
})
