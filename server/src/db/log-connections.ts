import type pg from 'pg'
import type { Logger } from '#base/logger.ts'

/** Says once when connections of the pool break, and once when there is a new one again. */
export function logConnections(pool: pg.Pool, logger: Logger): void {
  let lostAt: number | undefined
  pool.on('connect', (client) => {
    if (lostAt !== undefined) {
      logger.info({ durationMs: Math.round(performance.now() - lostAt) }, 'PostgreSQL is back')
      lostAt = undefined
    }
    client.on('error', (error) => {
      if (lostAt !== undefined) return
      lostAt = performance.now()
      logger.warn({ err: error }, 'PostgreSQL was lost')
    })
  })
}
