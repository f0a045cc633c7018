import { AppError } from '#base/errors.ts'

export type FairTurnsOptions = {
  /** How many are at work at once, and how many of them under one key. */
  atOnceMax: number
  perKeyMax: number
  /** How many may wait under one key, and for how long. */
  waitingMax: number
  waitMs: number
}

/** Does what is wanted when there is room. Rejects with `unavailable` where too many wait, or for too long. */
export type FairTurns = <T>(key: string, signal: AbortSignal | undefined, act: () => Promise<T>) => Promise<T>

type Waiter = { start: () => void }

/**
 * Lets so many work at once. Keys take turns: whoever wants much waits for itself, and keeps nobody else waiting for longer
 * than one piece of work takes.
 */
export function fairTurns({ atOnceMax, perKeyMax, waitingMax, waitMs }: FairTurnsOptions): FairTurns {
  const working = new Map<string, number>()
  const waiting = new Map<string, Set<Waiter>>()
  let atWork = 0
  const count = (key: string, change: number) => {
    atWork += change
    const left = (working.get(key) ?? 0) + change
    if (left) working.set(key, left)
    else working.delete(key)
  }
  const hasRoom = (key: string) => atWork < atOnceMax && (working.get(key) ?? 0) < perKeyMax
  const leave = (key: string, waiter: Waiter) => {
    const queue = waiting.get(key)
    queue?.delete(waiter)
    if (!queue?.size) waiting.delete(key)
  }
  const startNext = () => {
    for (const [key, queue] of waiting) {
      const [first] = queue
      if (!first || !hasRoom(key)) continue
      leave(key, first)
      // To the end of the line: the others come first now.
      if (waiting.delete(key)) waiting.set(key, queue)
      count(key, 1)
      first.start()
      return
    }
  }
  return async (key, signal, act) => {
    signal?.throwIfAborted()
    if (hasRoom(key) && !waiting.has(key)) count(key, 1)
    else {
      if ((waiting.get(key)?.size ?? 0) >= waitingMax) throw busy()
      await untilStarted(key, signal)
    }
    try {
      return await act()
    } finally {
      count(key, -1)
      startNext()
    }
  }

  function untilStarted(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { start: resolve }
    const queue = waiting.get(key) ?? new Set()
    waiting.set(key, queue.add(waiter))
    const giveUp = (error: unknown) => {
      leave(key, waiter)
      reject(error)
    }
    const timer = setTimeout(() => giveUp(busy()), waitMs)
    const abort = () => giveUp(signal?.reason)
    signal?.addEventListener('abort', abort)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }
}

const busy = () =>
  new AppError('unavailable', {
    message: 'This organization has too many requests in progress. Try again in a moment.',
  })
