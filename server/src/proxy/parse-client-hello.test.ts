import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { test } from 'node:test'
import { listen } from '#test/test-proxy.ts'
import { parseClientHello } from './parse-client-hello.ts'

/** The first bytes that Node's own TLS sends. */
async function helloFor(servername: string | undefined): Promise<Buffer> {
  const server = createServer()
  const port = await listen(server)
  const client = connect({ port, host: '127.0.0.1', ...(servername && { servername }) })
  client.on('error', () => {})
  const [connection] = await once(server, 'connection')
  const [bytes] = await once(connection, 'data')
  connection.destroy()
  client.destroy()
  server.close()
  return bytes as Buffer
}

const extension = (type: number, data: Buffer) => Buffer.concat([uint16(type), uint16(data.length), data])
const uint16 = (value: number) => Buffer.from([value >> 8, value & 255])
const record = (message: Buffer) => Buffer.concat([Buffer.from([22, 3, 1]), uint16(message.length), message])
const serverName = (name: string, kind = 0) => {
  const entry = Buffer.concat([Buffer.from([kind]), uint16(name.length), Buffer.from(name)])
  return extension(0, Buffer.concat([uint16(entry.length), entry]))
}
/** A hello of these extensions, as a message of the handshake. */
function message(extensions: Buffer[], { rest = Buffer.alloc(0) } = {}): Buffer {
  const list = Buffer.concat(extensions)
  const body = Buffer.concat([
    Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32), Buffer.from([0, 0, 2, 19, 1, 1, 0])]),
    Buffer.concat([uint16(list.length), list, rest]),
  ])
  return Buffer.concat([Buffer.from([1, 0]), uint16(body.length), body])
}
const hello = (...extensions: Buffer[]) => record(message(extensions))

test('reads the name of the server, however the hello is cut', async () => {
  const bytes = await helloFor('registry.example')
  const read = { serverName: 'registry.example', reason: null }
  assert.deepEqual(parseClientHello(bytes), read)
  for (let cut = 0; cut < bytes.length; cut++)
    assert.equal(parseClientHello(bytes.subarray(0, cut)), undefined, `at ${cut}`)
  const whole = message([serverName('registry.example')])
  for (let cut = 1; cut < whole.length; cut++)
    assert.deepEqual(
      parseClientHello(Buffer.concat([record(whole.subarray(0, cut)), record(whole.subarray(cut))])),
      read,
    )
})

test('a hello that names no server, or hides it, is told', async () => {
  assert.deepEqual(parseClientHello(await helloFor(undefined)), { reason: 'server_name_missing' })
  const hidden = { reason: 'encrypted_client_hello' }
  assert.deepEqual(parseClientHello(hello(serverName('a.example'), extension(0xfe0d, Buffer.alloc(8)))), hidden)
  assert.deepEqual(parseClientHello(hello(serverName('a.example'), extension(0xffce, Buffer.alloc(8)))), hidden)
})

test('what could be read in two ways is no hello', () => {
  const good = serverName('a.example')
  const two = Buffer.concat([Buffer.from([0, 0, 1]), Buffer.from('a'), Buffer.from([0, 0, 1]), Buffer.from('b')])
  const broken: Record<string, Buffer> = {
    'a name twice': hello(good, serverName('b.example')),
    'two names': hello(extension(0, Buffer.concat([uint16(two.length), two]))),
    'a name of another kind': hello(serverName('a.example', 1)),
    'an empty list of names': hello(extension(0, uint16(0))),
    'an extension that is longer than all': hello(Buffer.concat([uint16(5), uint16(999)])),
    'more behind the extensions': record(message([good], { rest: Buffer.from('x') })),
    'more behind the message': record(Buffer.concat([message([good]), Buffer.from('x')])),
    'a message that is no hello': record(Buffer.from([2, 0, 0, 1, 0])),
    'an empty record': Buffer.concat([record(Buffer.alloc(0)), hello(good)]),
    'a record that is too large': Buffer.from([22, 3, 1, 255, 255]),
    'a message that is too large': record(Buffer.from([1, 255, 255, 255])),
    'plain HTTP': Buffer.from('GET / HTTP/1.1\r\n'),
    'the old kind of hello': Buffer.from([0x80, 0x2e, 1, 3, 1]),
    'another kind of record in between': Buffer.concat([
      record(message([good]).subarray(0, 20)),
      Buffer.from([23, 3, 3]),
    ]),
  }
  for (const [what, bytes] of Object.entries(broken))
    assert.deepEqual(parseClientHello(bytes), { reason: 'not_tls' }, what)
})

test('a hello without any extension names no server', () => {
  const body = Buffer.concat([Buffer.from([3, 1]), Buffer.alloc(32), Buffer.from([0, 0, 2, 0, 47, 1, 0])])
  assert.deepEqual(parseClientHello(record(Buffer.concat([Buffer.from([1, 0]), uint16(body.length), body]))), {
    reason: 'server_name_missing',
  })
})
