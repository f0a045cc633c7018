// What grows with the queue and the processes, and what does not.
import type pg from 'pg'
import { migrate } from '../server/src/db/migrate.ts'
import { benchClaims } from './scale/claims.ts'
import { benchIdle } from './scale/idle.ts'
import { benchLogs } from './scale/logs.ts'
import { benchLooks } from './scale/looks.ts'

export type BenchScale = { pool: pg.Pool; databaseUrl: string; defer: (work: () => Promise<void>) => void }

/** Lines of the report. */
export async function benchScale({ pool, databaseUrl, defer }: BenchScale): Promise<string[]> {
  await migrate(pool)
  const claims = await benchClaims(pool, databaseUrl)
  const looks = await benchLooks(pool)
  const idle = await benchIdle(pool, databaseUrl, defer)
  return [...claims, ...looks, ...idle, ...(await benchLogs(pool, databaseUrl))]
}
