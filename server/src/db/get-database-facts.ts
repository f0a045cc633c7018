import type { Clock } from '#base/clock.ts'
import { one, type Db } from './pool.ts'
import { readClock } from './read-clock.ts'

type Stored = {
  /** As `18.4`, and as 180004. */
  version: string
  versionNumber: number
  /** Of all clients of this PostgreSQL, and how many it takes from those that are no superusers. */
  connections: number
  connectionsMax: number
  migrations: number
  newestMigration: string
}

export type DatabaseFacts = Stored & {
  /** By how much its clock is ahead of this machine's, and how far that may be off, in milliseconds. */
  aheadMs: number
  unsureMs: number
}

/** What an operator wants to know of the database. */
export async function getDatabaseFacts(db: Db, clock: Clock): Promise<DatabaseFacts> {
  const stored = await one<Stored>(db, facts)
  const { timeMs, atMs, unsureMs } = await readClock(db, () => clock.now().getTime())
  return { ...stored, aheadMs: timeMs - atMs, unsureMs }
}

const facts = `select split_part(current_setting('server_version'), ' ', 1) as version,
    current_setting('server_version_num')::int as version_number,
    (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections_max,
    (select count(*) from migrations)::int as migrations, (select max(name) from migrations) as newest_migration`
