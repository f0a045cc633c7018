import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents, StreamSilent, type ServerEvent } from './read-events.ts'

/** A body that comes in these pieces. */
function bodyOf(pieces: (string | Uint8Array)[], { stays = false } = {}): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
      if (!stays) controller.close()
    },
  })
}

async function read(pieces: (string | Uint8Array)[]): Promise<ServerEvent[]> {
  return Array.fromAsync(readEvents(bodyOf(pieces), { silenceMsMax: 1_000 }))
}

const text =
  'retry: 1000\n\n:\n\nevent: status\ndata: {"a":1}\n\nid: 1\nevent: log\ndata: "é – 🌍"\n\n' +
  'id: 2\r\nevent: log\r\ndata: two\r\ndata:lines\r\n\r\nevent: nothing\n\ndata\n\n: a word\nid\ndata: last\n\n'
const events: ServerEvent[] = [
  { event: 'status', id: null, data: '{"a":1}' },
  { event: 'log', id: '1', data: '"é – 🌍"' },
  { event: 'log', id: '2', data: 'two\nlines' },
  { event: 'message', id: '2', data: '' },
  { event: 'message', id: '', data: 'last' },
]

test('events are read as they are written', async () => {
  assert.deepEqual(await read([text]), events)
})

test('a stream may be cut into pieces anywhere, within a character too', async () => {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at <= bytes.length; at++)
    assert.deepEqual(await read([bytes.subarray(0, at), bytes.subarray(at)]), events, String(at))
  assert.deepEqual(await read([...bytes].map((byte) => Uint8Array.of(byte))), events)
})

test('an event that was cut off is none', async () => {
  assert.deepEqual(await read(['data: one\n\nid: 7\ndata: tw']), [{ event: 'message', id: null, data: 'one' }])
})

test('a stream that says nothing for too long is given up', async () => {
  const reading = Array.fromAsync(readEvents(bodyOf(['data: one\n\n'], { stays: true }), { silenceMsMax: 20 }))
  await assert.rejects(reading, StreamSilent)
})
