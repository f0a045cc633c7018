import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { request as connectThrough } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { openSocket, sendRaw } from '#test/open-socket.ts'
import { listen, makeCertificate, testProxies, type TestProxy } from '#test/test-proxy.ts'
import { until } from '#test/test-sandboxes.ts'

const run = promisify(execFile)
const { db, openSandboxProxy } = await testProxies()
const loopback = ['127.0.0.1']
const { key, certificate, certificateFile } = await makeCertificate(['allowed.test', 'evil.test'])
const served: string[] = []
const server = createSecureServer({ key, cert: certificate }, (request, response) => {
  served.push(String((request.socket as TLSSocket).servername))
  response.end(`hello from ${String((request.socket as TLSSocket).servername)}`)
})
const port = await listen(server)
after(() => server.close())
const names = { 'allowed.test': loopback, 'evil.test': loopback }
const allow = [`allowed.test:${port}`]

const ask = (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const curl = async ({ url }: TestProxy, ...args: string[]) => {
  const all = ['-sS', '-m', '20', '-x', url, '--cacert', certificateFile, ...args]
  return run('curl', all).catch((error: { stdout: string; stderr: string }) => error)
}

/** TLS for a server, begun in a tunnel. */
async function openTls({ url }: TestProxy, { host, servername }: { host: string; servername: string | undefined }) {
  const request = connectThrough(url, { method: 'CONNECT', path: host }).end()
  const [, socket] = (await once(request, 'connect')) as [unknown, Socket]
  const secure = connectSecurely({ socket, rejectUnauthorized: false, ...(servername && { servername }) })
  return secure.on('error', () => {})
}

/** What becomes of TLS for this server in a tunnel to the allowed name. */
async function tls(proxy: TestProxy, servername: string | undefined): Promise<string> {
  const secure = await openTls(proxy, { host: `allowed.test:${port}`, servername })
  const text = await new Promise<string>((resolve) => {
    secure.on('secureConnect', () => resolve('connected'))
    secure.on('error', (error) => resolve(error.message))
    secure.on('close', () => resolve('closed'))
  })
  secure.destroy()
  return text
}

test('a tunnel leads to the name that is allowed, and what went and came is recorded', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const { stdout } = await curl(proxy, `https://allowed.test:${port}/`)
  assert.equal(stdout, 'hello from allowed.test')
  await until(async () => (await proxy.asked())[0]?.receivedBytes !== null, 'it has ended')
  const [asked] = await proxy.asked()
  assert.partialDeepStrictEqual(asked, { name: 'allowed.test', port, isAllowed: true, reason: null })
  assert.ok(asked!.sentBytes! > 200 && asked!.receivedBytes! > 500)
})

test('a tunnel to anything else is refused, with the reason where programs show it', async () => {
  const proxy = await openSandboxProxy({ allow: [...allow, 'none.test'], names })
  const refused: [string, string][] = [
    [`evil.test:${port}`, 'not_allowed'],
    ['allowed.test:443', 'port_not_allowed'],
    [`127.0.0.1:${port}`, 'address_literal'],
    [`[::1]:${port}`, 'address_literal'],
    [`127.1:${port}`, 'address_literal'],
    ['none.test:443', 'not_found'],
    [`allowed.test@evil.test:${port}`, 'malformed_name'],
    [`evil.test%00.allowed.test:${port}`, 'malformed_name'],
    ['allowed.test', 'malformed_name'],
    ['allowed.test:0', 'malformed_name'],
    ['allowed.test:99999', 'malformed_name'],
    ['https://allowed.test/', 'malformed_name'],
  ]
  for (const [host, reason] of refused)
    assert.match(await sendRaw(proxy.url, ask(host)), new RegExp(`^HTTP/1.1 403 Forbidden \\(${reason}\\)`), host)
  assert.deepEqual(
    (await proxy.asked()).map(({ reason }) => reason),
    refused.map(([, reason]) => reason),
  )
  const { stderr } = await curl(proxy, '-v', `https://evil.test:${port}/`)
  assert.match(stderr, /403 Forbidden \(not_allowed\)/)
})

test('our own API and database are no place to go, by address or by name', async () => {
  const { port: databasePort } = new URL(db.url)
  const proxy = await openSandboxProxy({
    allow: [`localhost:${databasePort}`],
    names: {},
    privateHosts: ['other.test'],
  })
  for (const host of [`127.0.0.1:${databasePort}`, `[::1]:${databasePort}`])
    assert.match(await sendRaw(proxy.url, ask(host)), /address_literal/)
  const byName = await openSandboxProxy({
    allow: [`localhost:${databasePort}`],
    names: { localhost: loopback },
    privateHosts: ['other.test'],
  })
  assert.match(await sendRaw(byName.url, ask(`localhost:${databasePort}`)), /private_address/)
})

test('TLS that names another server, or none, is cut off before anything is dialled', async () => {
  const dialled = await countConnections()
  const proxy = await openSandboxProxy({ allow, names })
  for (const servername of ['evil.test', 'sub.allowed.test', undefined]) {
    const text = await tls(proxy, servername)
    assert.match(text, /access denied|closed|ECONNRESET/i, servername)
  }
  assert.equal(await countConnections(), dialled)
  assert.deepEqual(
    (await proxy.asked()).map(({ isAllowed, reason }) => [isAllowed, reason]),
    [
      [false, 'server_name_mismatch'],
      [false, 'server_name_mismatch'],
      [false, 'server_name_missing'],
    ],
  )
  assert.equal(await tls(proxy, 'allowed.test'), 'connected')
})

test('curl cannot be talked into another address or another name by its own options', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  // The address that curl would take itself is never asked for: the proxy looks names up.
  const { stdout } = await curl(proxy, '--resolve', `allowed.test:${port}:127.0.0.9`, `https://allowed.test:${port}/`)
  assert.equal(stdout, 'hello from allowed.test')
  const other = await curl(
    proxy,
    '--connect-to',
    `evil.test:${port}:allowed.test:${port}`,
    `https://evil.test:${port}/`,
  )
  assert.match(other.stderr, /alert access denied|SSL/)
  assert.partialDeepStrictEqual((await proxy.asked()).at(-1), { isAllowed: false, reason: 'server_name_mismatch' })
  assert.ok(!served.includes('evil.test'))
})

test('what is no TLS goes through no tunnel', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  for (const words of [
    'GET / HTTP/1.1\r\nHost: allowed.test\r\n\r\n',
    'SSH-2.0-x\r\n',
    '\x15\x03\x01\x00\x02\x02\x31',
  ]) {
    const { socket, until, closed } = openSocket(proxy.url, ask(`allowed.test:${port}`))
    await until(/ 200 /)
    socket.write(Buffer.from(words, 'latin1'))
    await closed
  }
  // Whoever leaves at once has had a name looked up.
  const gone = openSocket(proxy.url, ask(`allowed.test:${port}`))
  await gone.until(/ 200 /)
  gone.socket.destroy()
  await until(async () => (await proxy.asked()).length === 4, 'that is recorded')
  // Right behind the request, in the same breath.
  await sendRaw(proxy.url, `${ask(`allowed.test:${port}`)}GET / HTTP/1.1\r\n\r\n`)
  const mute = openSocket(proxy.url, ask(`allowed.test:${port}`))
  await mute.until(/ 200 /)
  mute.socket.end()
  await mute.closed
  assert.deepEqual([...new Set((await proxy.asked()).map(({ reason }) => reason))], ['not_tls'])
})

test('what is said before the tunnel is open is heard when it is', async () => {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<string[]>()]
  const lookup = () => {
    asked.resolve()
    return answered.promise
  }
  // Were it lost, the proxy would wait for it for longer than any test.
  const patience = { dialMs: 5_000, helloMs: 300_000, idleMs: 300_000 }
  const proxy = await openSandboxProxy({ allow, names: { 'allowed.test': lookup }, patience })
  const { socket, closed } = openSocket(proxy.url, ask(`allowed.test:${port}`))
  await asked.promise
  await new Promise<void>((resolve) => socket.write('SSH-2.0-early\r\n', () => resolve()))
  answered.resolve(loopback)
  assert.match(await closed, / 200 /)
  assert.partialDeepStrictEqual(await proxy.asked(), [{ isAllowed: false, reason: 'not_tls' }])
})

test('a hundred tunnels at once are all served, and all recorded', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const text = await Promise.all(Array.from({ length: 100 }, () => tls(proxy, 'allowed.test')))
  assert.deepEqual([...new Set(text)], ['connected'])
  await until(async () => (await proxy.asked()).filter(({ sentBytes }) => sentBytes).length === 100, 'all have ended')
})

test('who says nothing for long is cut off: before TLS, in a tunnel, and in an answer', async () => {
  const held = createServer((socket) => void socket.on('error', () => {}))
  const heldPort = await listen(held)
  after(() => held.close())
  const proxy = await openSandboxProxy({
    allow: [`held.test:${heldPort}`],
    names: { 'held.test': loopback },
    patience: { dialMs: 5_000, helloMs: 200, idleMs: 200 },
  })
  const mute = openSocket(proxy.url, ask(`held.test:${heldPort}`))
  await mute.until(/ 200 /)
  await mute.closed
  const tunnel = await openTls(proxy, { host: `held.test:${heldPort}`, servername: 'held.test' })
  await new Promise((resolve) => tunnel.on('close', resolve))
  const url = `http://held.test:${heldPort}/`
  assert.match(
    await sendRaw(proxy.url, `GET ${url} HTTP/1.1\r\nHost: held.test:${heldPort}\r\n\r\n`),
    /^(HTTP\/1.1 502|$)/,
  )
  assert.equal(await sendRaw(proxy.url, ''), '')
  assert.deepEqual(
    (await proxy.asked()).map(({ isAllowed, reason }) => [isAllowed, reason]),
    [
      [false, 'not_tls'],
      [true, null],
      [true, null],
    ],
  )
})

test('a proxy that is closed cuts its tunnels at both ends', async () => {
  const held = createServer()
  const heldPort = await listen(held)
  after(() => held.close())
  const proxy = await openSandboxProxy({ allow: [`held.test:${heldPort}`], names: { 'held.test': loopback } })
  const [tunnel, [upstream]] = await Promise.all([
    openTls(proxy, { host: `held.test:${heldPort}`, servername: 'held.test' }),
    once(held, 'connection') as Promise<[Socket]>,
  ])
  upstream.resume()
  const closed = Promise.all([once(upstream, 'close'), new Promise((resolve) => tunnel.on('close', resolve))])
  await proxy.proxy[Symbol.asyncDispose]()
  await closed
  await until(async () => (await proxy.asked())[0]!.receivedBytes === 0, 'its end is recorded')
})

test('who does not hold the run any more reaches nothing for it', async () => {
  const proxy = await openSandboxProxy({ allow, names })
  const { runId } = proxy.holder
  await db.query(`update run_heads set status = 'queued', lease_id = null, worker_id = null where run_id = $1`, [runId])
  assert.match(await sendRaw(proxy.url, ask('evil.test:443')), /403 Forbidden \(run_not_held\)/)
  const before = await countConnections()
  assert.match(await tls(proxy, 'allowed.test'), /access denied|closed|ECONNRESET/i)
  assert.equal(await countConnections(), before)
  assert.deepEqual(await proxy.asked(), [])
})

let connections = 0
server.on('connection', () => connections++)
/** A connection that is under way has arrived once one that comes after it has. */
async function countConnections(): Promise<number> {
  const before = connections
  const { socket } = openSocket(`http://127.0.0.1:${port}`)
  await until(() => connections > before, 'ours has arrived')
  socket.destroy()
  return --connections
}
