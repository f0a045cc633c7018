import type { Writable } from 'node:stream'

/** Resolves when a stream that was full takes more, or has been closed and never will. */
export function drained(stdin: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    stdin.off('drain', done)
    stdin.off('close', done)
    resolve()
  }
  stdin.on('drain', done)
  stdin.on('close', done)
  if (stdin.destroyed) done()
  return promise
}
