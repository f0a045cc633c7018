import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const digestBytes = 20
/** When nothing has come for this long it is looked whether anything is missing. */
const quietMs = 100

/**
 * The pack, where its sender may wait for the answer without ending its side. A pack ends with the digest of all that stands before,
 * so one that is whole is known without unpacking it.
 */
export async function* untilPackEnds(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  const digest = createHash('sha1')
  let last: Buffer = Buffer.alloc(0)
  for (;;) {
    const coming = chunks.next()
    // Whoever ends this early looks at it no more.
    coming.catch(() => {})
    if (last.length === digestBytes) {
      const stop = new AbortController()
      const quiet = sleep(quietMs, true, { signal: stop.signal }).catch(() => false)
      const isQuiet = await Promise.race([coming.then(() => false), quiet]).finally(() => stop.abort())
      if (isQuiet && digest.copy().digest().equals(last)) return
    }
    const next = await coming
    if (next.done) return
    yield next.value
    const seen = Buffer.concat([last, next.value])
    const rest = Math.max(0, seen.length - digestBytes)
    digest.update(seen.subarray(0, rest))
    last = seen.subarray(rest)
  }
}
