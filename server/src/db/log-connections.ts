import type { Logger } from '#base/logger.ts'
import type { DatabasePool } from './database-pool.ts'

/** Says once when connections of the pool break or cannot be made, and once when there is a new one again. */
export function logConnections(pool: DatabasePool, logger: Logger): void {
  let lostAt: number | undefined
  const lose = (error: Error) => {
    if (lostAt !== undefined) return
    lostAt = performance.now()
    logger.warn({ err: error }, 'PostgreSQL was lost')
  }
  pool.onRefused = lose
  pool.on('connect', (client) => {
    if (lostAt !== undefined) {
      logger.info({ durationMs: Math.round(performance.now() - lostAt) }, 'PostgreSQL is back')
      lostAt = undefined
    }
    client.on('error', lose)
  })
}
