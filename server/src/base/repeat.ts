import { setTimeout as sleep } from 'node:timers/promises'

/** Does the work now and again, so long after it was done last, until it is disposed. The work never rejects. */
export function repeat(work: () => Promise<void>, pauseMs: number): AsyncDisposable {
  const stop = new AbortController()
  const repeating = (async () => {
    while (!stop.signal.aborted) {
      await work()
      await sleep(pauseMs, undefined, { ref: false, signal: stop.signal }).catch(() => {})
    }
  })()
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await repeating
    },
  }
}
