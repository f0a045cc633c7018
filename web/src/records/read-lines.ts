import { RecordRefused, type RecordLimits } from './run-record.ts'

const NEWLINE = 10
const MIB = 2 ** 20

/** The lines of a stream of bytes, without their ends. Throws `RecordRefused` beyond the limits. */
export async function* readLines(stream: ReadableStream<Uint8Array>, limits: RecordLimits): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  let [total, held] = [0, 0]
  let parts: Uint8Array[] = []
  try {
    for (;;) {
      const { done, value: chunk } = await reader.read()
      if (done) return
      total += chunk.length
      if (total > limits.bytes)
        throw new RecordRefused(
          `Unpacked, the record has more than ${limits.bytes / MIB} MiB. Replay it with “npm run replay”.`,
        )
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        yield join([...parts, chunk.subarray(from, at)])
        ;[parts, held, from] = [[], 0, at + 1]
      }
      if (from < chunk.length) parts.push(chunk.slice(from))
      held += chunk.length - from
      if (held > limits.lineBytes)
        throw new RecordRefused(`A line of the record has more than ${limits.lineBytes / MIB} MiB.`)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A copy: a part keeps all of its chunk in memory. */
function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
