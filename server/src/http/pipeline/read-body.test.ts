import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { answerError } from './answer-error.ts'
import { limitBodyTime, parseBody } from './read-body.ts'

const server = fastify()
server.removeAllContentTypeParsers()
server.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, bytes: Buffer) =>
  parseBody(bytes),
)
server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
server.post('/', {
  preParsing: (_, reply, payload, done) => {
    limitBodyTime(reply, payload, 30)
    done(null, payload)
  },
  handler: async (request) => request.body,
})
/** Told how many timers a body has left behind whose sender had gone before. */
const late = new EventEmitter()
server.post('/late', {
  onRequest: async (_, reply) => {
    await once(reply.raw, 'close')
  },
  preParsing: (_, reply, payload, done) => {
    const earlier = countTimers()
    limitBodyTime(reply, payload)
    late.emit('limited', countTimers() - earlier)
    done(null, payload)
  },
  handler: async (request) => request.body,
})
await server.listen({ port: 0, host: '127.0.0.1' })
after(() => server.close())

const countTimers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

function post(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${text}`)
  })
}

test('a body that does not come to its end is given up', async () => {
  const unfinished = [
    'Content-Length: 100\r\n\r\n{"prompt":',
    'Transfer-Encoding: chunked\r\n\r\n5\r\n{"pro\r\n',
    'Content-Length: 1\r\n\r\n',
  ]
  for (const text of unfinished)
    assert.match(await post(text), /^HTTP\/1\.1 408 [^]*connection: close[^]*"code":"request_timeout"/)
})

test('nobody waits for the body of somebody who has gone', async () => {
  const limited = once(late, 'limited')
  const socket = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST /late HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":')
  await once(server.server, 'request')
  socket.resetAndDestroy()
  assert.deepEqual(await limited, [0])
})

test('a body that arrives in pieces is put together, also within a character', async () => {
  const [first, second] = [Buffer.from('{"a":"é"}').subarray(0, 7), Buffer.from('{"a":"é"}').subarray(7)]
  const answer = await fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(first)
        controller.enqueue(second)
        controller.close()
      },
    }),
    duplex: 'half',
  })
  assert.deepEqual(await answer.json(), { a: 'é' })
})

test('a body of very many values is refused before it is parsed', () => {
  const list = (item: string, count: number) => Buffer.from(`[${`${item},`.repeat(count)}0]`)
  assert.equal((parseBody(list('1', 39_000)) as unknown[]).length, 39_001)
  const names = Array.from({ length: 40_001 }, (_, n) => `"name${n}":1`)
  for (const body of [
    list('1', 40_000),
    list('[]', 20_000),
    list('[]', 6_000_000),
    Buffer.from(`{${names.join(',')}}`),
  ])
    assert.throws(() => parseBody(body), { code: 'invalid_request', message: 'body holds more than 40000 values.' })
  const text = '[{,"\\'.repeat(1_000_000)
  assert.equal(parseBody(Buffer.from(JSON.stringify(text))), text, 'signs in a text are part of it')
})
