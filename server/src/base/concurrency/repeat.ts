import { pause } from './pause.ts'

/** Does the work now and again, so long after it was done last, until it is disposed. The work never rejects. */
export function repeat(work: () => Promise<void>, pauseMs: number): AsyncDisposable {
  const stop = new AbortController()
  const repeating = (async () => {
    while (!stop.signal.aborted) {
      await work()
      await pause(pauseMs, stop.signal)
    }
  })()
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await repeating
    },
  }
}
