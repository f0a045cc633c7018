import type pg from 'pg'
import { limits } from '#base/limits.ts'

/** Connections that only listen answer at once, or have gone. */
export const heartbeatOptions = { connectionTimeoutMillis: limits.connectMs, query_timeout: limits.heartbeatAnswerMs }

export type WatchHeartbeat = {
  onSilent: () => void
  /** How long ago the connection last answered something else, where somebody knows. */
  msSinceHeard?: () => number
}

/**
 * Asks a connection that otherwise only listens for a sign of life, again and again, and calls `onSilent` once when
 * none comes: a connection whose other end has vanished looks like one on which nothing happens.
 */
export function watchHeartbeat(
  client: Pick<pg.ClientBase, 'query'>,
  { onSilent, msSinceHeard = () => Infinity }: WatchHeartbeat,
): Disposable {
  let timer: NodeJS.Timeout
  let isOver = false
  const rest = (ms: number = limits.heartbeatMs) => void (timer = setTimeout(() => void ask(), ms))
  const ask = async () => {
    // What is heard about as often comes in time to be asked for nothing.
    if (msSinceHeard() < limits.heartbeatMs * 1.25) return rest(limits.heartbeatMs / 2)
    const isAlive = await client.query('select 1').catch(() => undefined)
    if (isOver) return
    if (isAlive) rest()
    else onSilent()
  }
  rest()
  return {
    [Symbol.dispose]: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
