import type pg from 'pg'
import { one } from '../../server/src/db/pool.ts'

const count = async (pool: pg.Pool, statement: string) => (await one<{ count: number }>(pool, statement)).count

/** Statistics are sent by each connection about once a second, and those of the one that asks come on top. */
export const countTransactions = (pool: pg.Pool): Promise<number> =>
  count(
    pool,
    'select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()',
  )

/** Of everybody but the benchmark itself. */
export const countSessions = (pool: pg.Pool): Promise<number> =>
  count(
    pool,
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name <> 'bench'`,
  )
