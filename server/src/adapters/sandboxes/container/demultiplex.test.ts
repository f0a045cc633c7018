import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Demultiplexer } from './demultiplex.ts'

function frame(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt8(stream, 0)
  header.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([header, Buffer.from(text)])
}

const sent = Buffer.concat([frame(1, 'one '), frame(2, 'complaint'), frame(1, ''), frame(1, 'two'), frame(2, '!')])

/** What comes out of these pieces. */
async function take(pieces: Buffer[]): Promise<{ stdout: string; complaint: string }> {
  let complaint = ''
  const demultiplexer = new Demultiplexer({ onComplaint: (chunk) => (complaint += chunk) })
  for (const piece of pieces) demultiplexer.write(piece)
  demultiplexer.end()
  return { stdout: Buffer.concat(await demultiplexer.toArray()).toString(), complaint }
}

test('takes stdout and stderr apart, wherever the stream is cut', async () => {
  for (let at = 0; at <= sent.length; at++) {
    const taken = await take([sent.subarray(0, at), sent.subarray(at)])
    assert.deepEqual(taken, { stdout: 'one two', complaint: 'complaint!' })
  }
  const bytes = Array.from(sent, (byte) => Buffer.of(byte))
  assert.deepEqual(await take(bytes), { stdout: 'one two', complaint: 'complaint!' })
})

test('makes the engine wait while nobody reads', () => {
  const demultiplexer = new Demultiplexer({ onComplaint: () => {} })
  let written = 0
  while (demultiplexer.write(frame(1, 'x'.repeat(10_000))) && written < 1_000) written++
  assert.ok(written < 100, `${written} pieces were taken without a reader`)
})

test('ends at what is no frame of the engine', async () => {
  const demultiplexer = new Demultiplexer({ onComplaint: () => {} })
  demultiplexer.write('HTTP/1.1 500 Internal Server Error')
  const [error] = await once(demultiplexer, 'error')
  assert.match((error as Error).message, /something else than two streams/)
})
