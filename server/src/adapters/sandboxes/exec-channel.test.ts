/** What a sandbox may send us: the agent in it has no more rights than the commands that it starts, and no more trust. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
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
  output.on('data', (chunk: Buffer) => {
    reader.push(chunk)
    for (let next = reader.next(); next; next = reader.next()) frames.push(next)
  })
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
    [/last message of \d+ bytes/, frame(frameKinds.end, 1, Buffer.from(JSON.stringify({ x: 'y'.repeat(5_000) })))],
    [/outside|range/i, frame(frameKinds.accepted, 1, Buffer.from([1]))],
  ]
  for (const [complaint, bytes] of nonsense) {
    const { channel, complaints, say } = openChannel()
    channel.start(command, { onEnd: () => {} })
    await say(bytes)
    assert.match(complaints.join(), complaint)
  }
})

test('leaves us most of our time, however an agent floods us', async () => {
  const floods = {
    'large frames': frame(frameKinds.stdout, 1, Buffer.alloc(payloadBytesMax)),
    'frames of one byte': Buffer.concat(
      Array.from({ length: 6_000 }, (_, n) =>
        frame(n % 2 ? frameKinds.stdout : frameKinds.stderr, 1, Buffer.from('x')),
      ),
    ),
    'frames of nothing': Buffer.concat(Array.from({ length: 7_000 }, () => frame(frameKinds.stdout, 1))),
    'reports of input taken': Buffer.concat(
      Array.from({ length: 5_000 }, () => frame(frameKinds.accepted, 1, Buffer.from([1, 0, 0, 0]))),
    ),
    'frames for no job': Buffer.concat(
      Array.from({ length: 5_000 }, () => frame(frameKinds.accepted, 7, Buffer.from([1, 0, 0, 0]))),
    ),
  }
  for (const [what, piece] of Object.entries(floods)) {
    const { channel, input, output } = openChannel()
    output.resume()
    let heardMs = 0
    const work = () => {
      const until = performance.now() + 0.02
      while (performance.now() < until);
      heardMs += 0.02
    }
    channel.start(command, { onOutput: work, onEnd: () => {} })
    // What of our time is left for others.
    const fill = () => {
      while (!input.destroyed && input.write(piece));
    }
    input.on('drain', fill)
    fill()
    const before = process.threadCpuUsage()
    await delay(1_000)
    const { user, system } = process.threadCpuUsage(before)
    const utilization = (user + system) / 1e6
    channel.close()
    input.destroy()
    assert.ok(utilization < 0.5, `${what} took ${utilization} of the loop, ${heardMs} ms in what hears of it`)
  }
})

test('copies what comes byte by byte once', () => {
  const reader = new FrameReader()
  const bytes = frame(frameKinds.stdout, 1, Buffer.alloc(payloadBytesMax, 'x'))
  const startedAt = performance.now()
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; at++) {
    reader.push(bytes.subarray(at, at + 1))
    const next = reader.next()
    if (next) frames.push(next)
  }
  assert.equal(frames[0]!.payload.length, payloadBytesMax)
  // Copied anew with each byte it were 32 GiB.
  assert.ok(performance.now() - startedAt < 2_000)
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
