import { setTimeout as delay } from 'node:timers/promises'
import { aborted } from './aborted.ts'
import { limits } from '#base/limits.ts'

/**
 * Resolves or rejects as the work does. Where the signal asks it to end and it does not, it is left to itself after a
 * moment: nobody waits for an engine that hangs, and without its lease it changes nothing.
 */
export async function raceWithAbort<T>(
  work: Promise<T>,
  { signal, graceMs = limits.stopGraceMs }: { signal: AbortSignal; graceMs?: number },
): Promise<T> {
  const ended = new AbortController()
  const givingUp = (async () => {
    await aborted(signal)
    await delay(graceMs, undefined, { signal: ended.signal, ref: false })
    throw signal.reason
  })()
  givingUp.catch(() => {})
  try {
    return await Promise.race([work, givingUp])
  } finally {
    ended.abort()
    work.catch(() => {})
  }
}
