import type { Writable } from 'node:stream'
import { drained } from '#base/concurrency/drained.ts'

/** What is not taken any more is read to its end all the same: only then does the client listen to the answer. */
export async function feed(body: AsyncIterable<Buffer>, taker: Writable): Promise<void> {
  for await (const chunk of body) {
    if (!taker.destroyed && !taker.write(chunk)) await drained(taker)
  }
  taker.end()
}
