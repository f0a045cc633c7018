import type pg from 'pg'
import { limits } from '#base/limits.ts'

/** Connections that only listen answer at once, or have gone. */
export const heartbeatOptions = { connectionTimeoutMillis: limits.connectMs, query_timeout: limits.heartbeatAnswerMs }

/**
 * Asks a connection that otherwise only listens for a sign of life, again and again, and calls `onSilent` once when
 * none comes: a connection whose other end has vanished looks like one on which nothing happens.
 */
export function watchHeartbeat(client: Pick<pg.ClientBase, 'query'>, onSilent: () => void): Disposable {
  let timer: NodeJS.Timeout
  let isOver = false
  const rest = () => void (timer = setTimeout(() => void ask(), limits.heartbeatMs))
  const ask = async () => {
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
