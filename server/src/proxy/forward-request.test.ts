import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { openSocket, sendRaw } from '#test/open-socket.ts'
import { listen, testProxies } from '#test/test-proxy.ts'
import { until } from '#test/test-sandboxes.ts'

const { openSandboxProxy } = await testProxies()
const loopback = ['127.0.0.1']
const requests: { line: string; headers: IncomingMessage['headers']; body: string }[] = []
const server = createServer((request, response) => void serve(request, response))
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const line = `${request.method} ${request.url}`
  const body = (await request.toArray()).join('')
  requests.push({ line, headers: request.headers, body })
  if (request.url === '/moved') response.statusCode = 302
  response.setHeader('Location', `http://evil.test:${port}/`)
  response.setHeader('Connection', 'close, X-Hop')
  response.setHeader('X-Hop', 'for neighbours only')
  response.setHeader('X-End', 'for you')
  response.end(`${line} ${request.headers.host} ${body}`)
}
const port = await listen(server)
after(() => server.close())
const names = { 'allowed.test': loopback, 'evil.test': loopback, 'a.wild.test': loopback, 'wild.test': loopback }
const allow = [`allowed.test:${port}`, `*.wild.test:${port}`]

const get = (url: string, headers = `Host: ${url.split('/')[2]}\r\n`) =>
  `GET ${url} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`

test('a name that is allowed is reached, and what went and came is recorded', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const text = await sendRaw(proxy.url, get(`http://allowed.test:${port}/a?b=c`))
  assert.match(text, new RegExp(`^HTTP/1.1 200 OK[^]*GET /a\\?b=c allowed.test:${port} `))
  assert.match(text, /X-End: for you/)
  assert.doesNotMatch(text, /X-Hop/)
  await until(async () => (await proxy.asked())[0]?.receivedBytes !== null, 'it has ended')
  const [asked, ...others] = await proxy.asked()
  assert.partialDeepStrictEqual(asked, { n: 1, name: 'allowed.test', port, isAllowed: true, reason: null })
  assert.ok(asked!.sentBytes! > 50 && asked!.receivedBytes! > 100)
  assert.deepEqual(others, [])
})

test('one name is one name, in capitals and with a dot at its end', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  for (const host of ['ALLOWED.test', 'allowed.test.', 'a.wild.test'])
    assert.match(await sendRaw(proxy.url, get(`http://${host}:${port}/`)), /^HTTP\/1.1 200/, host)
})

test('all other names are refused, and each refusal says why and is recorded', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const refused: [string, string][] = [
    [`http://evil.test:${port}/`, 'not_allowed'],
    [`http://sub.allowed.test:${port}/`, 'not_allowed'],
    [`http://evilallowed.test:${port}/`, 'not_allowed'],
    [`http://allowed.test.evil.test:${port}/`, 'not_allowed'],
    [`http://wild.test:${port}/`, 'not_allowed'],
    ['http://allowed.test:22/', 'port_not_allowed'],
    ['http://allowed.test/', 'port_not_allowed'],
    [`http://user:word@allowed.test:${port}/`, 'credentials_in_url'],
    [`https://allowed.test:${port}/`, 'not_plain_http'],
    [`ftp://allowed.test:${port}/`, 'not_plain_http'],
  ]
  for (const [url, reason] of refused) {
    const text = await sendRaw(proxy.url, get(url))
    assert.match(text, new RegExp(`^HTTP/1.1 403 Refused \\(${reason}\\)[^]* cannot be reached from here: `), url)
  }
  const asked = await proxy.asked()
  assert.deepEqual(
    asked.map(({ isAllowed, reason }) => [isAllowed, reason]),
    refused.map(([, reason]) => [false, reason]),
  )
})

test('an address is refused in every spelling', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const spellings = ['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0.0.0.0', '169.254.169.254']
  for (const host of [...spellings, '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]']) {
    const text = await sendRaw(proxy.url, get(`http://${host}:${port}/`))
    assert.match(text, /^HTTP\/1.1 403 Refused \(address_literal\)/, host)
  }
})

test('an allowed name that leads to a private address is refused, and so is one that does only among others', async () => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '64:ff9b::1',
  ]
  for (const address of inside) {
    for (const addresses of [[address], ['1.1.1.1', address]]) {
      const proxy = await openSandboxProxy({
        allow,
        names: { 'allowed.test': addresses },
        privateHosts: ['other.test'],
      })
      const text = await sendRaw(proxy.url, get(`http://allowed.test:${port}/`))
      assert.match(text, /^HTTP\/1.1 403 Refused \(private_address\)/, address)
    }
  }
})

test('a name that means another address when it is asked for again is dialled as it was checked', async () => {
  let looks = 0
  // 127.0.0.9 answers nobody: whoever dials what the second look says comes to nothing.
  const proxy = await openSandboxProxy({ allow, names: { 'allowed.test': () => (looks++ ? ['127.0.0.9'] : loopback) } })
  assert.match(await sendRaw(proxy.url, get(`http://allowed.test:${port}/`)), /^HTTP\/1.1 200/)
  assert.equal(looks, 1)
})

test('a name that is not found, and a host that does not answer, are told apart', async () => {
  const closed = createSocketServer()
  const closedPort = await listen(closed)
  await new Promise((resolve) => closed.close(resolve))
  const proxy = await openSandboxProxy({
    allow: ['none.test', `down.test:${closedPort}`],
    names: { 'down.test': loopback },
  })
  assert.match(await sendRaw(proxy.url, get('http://none.test/')), /^HTTP\/1.1 403 Refused \(not_found\)/)
  assert.match(
    await sendRaw(proxy.url, get(`http://down.test:${closedPort}/`)),
    /^HTTP\/1.1 502 Refused \(unreachable\)/,
  )
  await until(async () => (await proxy.asked())[1]?.reason === 'unreachable', 'it is recorded')
  assert.partialDeepStrictEqual(await proxy.asked(), [
    { isAllowed: false, reason: 'not_found' },
    { isAllowed: true, reason: 'unreachable', sentBytes: 0, receivedBytes: 0 },
  ])
})

test('what it is redirected to is not followed', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const text = await sendRaw(proxy.url, get(`http://allowed.test:${port}/moved`))
  assert.match(text, new RegExp(`^HTTP/1.1 302 [^]*Location: http://evil.test:${port}/`))
  assert.deepEqual(
    (await proxy.asked()).map(({ name }) => name),
    ['allowed.test'],
  )
})

test('requests that hide others, or say two things, reach nobody', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const host = `allowed.test:${port}`
  const url = `http://${host}/`
  const hidden = `GET /hidden HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const tricks = [
    get(url, 'Host: internal.test\r\n'),
    get(url, `Host: ${host}\r\nHost: internal.test\r\n`),
    get(url, ''),
    get(`http://allowed.test@evil.test:${port}/`),
    get(`http://evil.test\\@allowed.test:${port}/`, `Host: ${host}\r\n`),
    get(`http://evil.test:${port}#@${host}/`, `Host: ${host}\r\n`),
    get(url, `Host: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n`) + `0\r\n\r\n${hidden}`,
    get(url, `Host: ${host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n`) + 'hello',
    get(url, `Host: ${host}\r\nTransfer-Encoding: gzip, chunked\r\n`) + '0\r\n\r\n',
    get(url, `Host: ${host}\r\nTransfer-Encoding: chunked, chunked\r\n`) + '0\r\n\r\n',
    get(url, `Host: ${host}\r\nTransfer-Encoding : chunked\r\n`) + '0\r\n\r\n',
    `GET ${url}\0 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET relative HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  ]
  const before = requests.length
  for (const trick of tricks) assert.match(await sendRaw(proxy.url, trick), /^(HTTP\/1.1 4\d\d |$)/, trick)
  assert.deepEqual(requests.slice(before), [])
})

test('a body is handed on whole and framed anew, also where a method has none by custom', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const host = `allowed.test:${port}`
  const hidden = `GET /hidden HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const before = requests.length
  const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
  for (const method of ['GET', 'DELETE', 'POST']) {
    const head = `${method} http://${host}/${method} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`
    assert.match(await sendRaw(proxy.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunked}`), /^HTTP\/1.1 200/)
    assert.match(await sendRaw(proxy.url, `${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`), /^HTTP\/1.1 200/)
  }
  const came = requests.slice(before)
  assert.deepEqual(
    came.map(({ line }) => line),
    ['GET /GET', 'GET /GET', 'DELETE /DELETE', 'DELETE /DELETE', 'POST /POST', 'POST /POST'],
  )
  for (const { body } of came) assert.equal(body, hidden)
})

test('headers for neighbours stay with them, and credentials for us reach nobody', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const headers = `Host: allowed.test:${port}\r\nProxy-Authorization: Basic x\r\nConnection: X-Mine\r\nX-Mine: 1\r\nUpgrade: h2c\r\nTE: trailers\r\nX-Yours: 2\r\n`
  await sendRaw(proxy.url, get(`http://allowed.test:${port}/`, headers))
  const { connection: _, ...came } = requests.at(-1)!.headers
  assert.deepEqual(came, { host: `allowed.test:${port}`, 'x-yours': '2' })
})

test('who goes away in the middle of an answer ends it at the other end too', async () => {
  const server = createServer((_request, response) => void response.write('…'))
  const slowPort = await listen(server)
  after(() => server.close())
  const proxy = await openSandboxProxy({ allow: [`slow.test:${slowPort}`], names: { 'slow.test': loopback } })
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = openSocket(proxy.url, get(`http://slow.test:${slowPort}/`))
  const [connection] = await accepted
  await client.until(/200 OK/)
  const closed = once(connection, 'close')
  client.socket.destroy()
  await closed
  await until(async () => (await proxy.asked())[0]!.receivedBytes !== null, 'its end is recorded')
})
