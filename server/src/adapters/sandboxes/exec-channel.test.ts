/** What a sandbox may send us: the agent in it has no more rights than the commands that it starts, and no more trust. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import { ExecChannel, type JobRequest } from './exec-channel.ts'
import { FrameReader, frameHeader, frameKinds, payloadBytesMax, windowBytes, type Frame } from './exec-frames.ts'

function openChannel() {
  const input = new PassThrough()
  const output = new PassThrough()
  const complaints: string[] = []
  const channel = new ExecChannel({ input, output, onBroken: (complaint) => complaints.push(complaint) })
  /** Plays the agent. */
  const say = async (...parts: Buffer[]) => {
    const heard = once(input, 'data')
    input.write(Buffer.concat(parts))
    await heard
  }
  return { channel, input, output, complaints, say }
}

const frame = (kind: number, job: number, payload = Buffer.alloc(0)) =>
  Buffer.concat([frameHeader(kind, job, payload.length), payload])
const command: JobRequest = { type: 'exec', argv: ['true'], cwd: '/', env: {}, hasInput: true, timeoutMs: 1_000 }

test('understands frames, however they are cut', async () => {
  const { channel, complaints, say } = openChannel()
  const seen: string[] = []
  const ended = Promise.withResolvers<JsonObject | null>()
  channel.start(command, { onOutput: (stream, chunk) => seen.push(`${stream} ${chunk}`), onEnd: ended.resolve })
  const bytes = Buffer.concat([
    frame(frameKinds.ready, 0),
    frame(frameKinds.stdout, 1, Buffer.from('hello')),
    frame(frameKinds.stderr, 1, Buffer.from('oh')),
    frame(frameKinds.end, 1, Buffer.from('{"exitCode":7}')),
  ])
  for (const byte of bytes) await say(Buffer.from([byte]))
  await channel.ready
  assert.deepEqual(await ended.promise, { exitCode: 7 })
  assert.deepEqual(seen, ['stdout hello', 'stderr oh'])
  assert.deepEqual(complaints, [])
})

test('sends no more input than the command takes', async () => {
  const { channel, output, say } = openChannel()
  const frames: Frame[] = []
  const reader = new FrameReader()
  output.on('data', (chunk: Buffer) => frames.push(...reader.read(chunk)))
  const sentBytes = () =>
    frames.filter(({ kind }) => kind === frameKinds.input).reduce((sum, { payload }) => sum + payload.length, 0)
  const job = channel.start(command, { onEnd: () => {} })
  job.write(Buffer.alloc(windowBytes + 100))
  job.endInput()
  await say(frame(frameKinds.ready, 0))
  assert.equal(sentBytes(), windowBytes)
  const credit = Buffer.alloc(4)
  credit.writeUInt32LE(1_000)
  await say(frame(frameKinds.accepted, 1, credit))
  assert.equal(sentBytes(), windowBytes + 100)
  assert.equal(frames.at(-1)!.kind, frameKinds.inputEnd)
})

test('complains about an agent that talks nonsense', async () => {
  const nonsense: [RegExp, Buffer][] = [
    [/frame of \d+ bytes/, Buffer.from('Segmentation fault, core dumped')],
    [/frame of \d+ bytes/, frameHeader(frameKinds.stdout, 1, payloadBytesMax + 1)],
    [/of kind 99/, frame(99, 1)],
    [/for no job/, frame(frameKinds.stdout, 2, Buffer.from('x'))],
    [/JSON/, frame(frameKinds.end, 1, Buffer.from('{'))],
  ]
  for (const [complaint, bytes] of nonsense) {
    const { channel, complaints, say } = openChannel()
    channel.start(command, { onEnd: () => {} })
    await say(bytes)
    assert.match(complaints.join(), complaint)
  }
})

test('complains about an agent that floods us', async () => {
  const { channel, complaints, say } = openChannel()
  channel.start(command, { onEnd: () => {} })
  const piece = frame(frameKinds.stdout, 1, Buffer.alloc(payloadBytesMax))
  await say(piece, piece, piece, piece)
  assert.match(complaints.join(), /output without credit/)
  channel.close()
})

test('tells all that wait when the sandbox is gone, and all that come later', async () => {
  const { channel } = openChannel()
  const early = Promise.withResolvers<JsonObject | null>()
  channel.start(command, { onEnd: early.resolve })
  channel.close()
  assert.equal(await early.promise, null)
  const late = Promise.withResolvers<JsonObject | null>()
  channel.start(command, { onEnd: late.resolve })
  assert.equal(await late.promise, null)
  await assert.rejects(channel.ready, /has ended/)
})
