import { systemClock } from '#base/clock.ts'
import { getDatabaseFacts } from '#db/get-database-facts.ts'
import { rows, type Db } from '#db/pool.ts'

/** Settings that say how PostgreSQL behaves. Others may hold passwords, commands or paths of other people. */
const settings =
  `autovacuum autovacuum_max_workers effective_cache_size fsync idle_in_transaction_session_timeout jit lock_timeout log_min_duration_statement
  maintenance_work_mem max_connections max_wal_size random_page_cost server_encoding shared_buffers statement_timeout synchronous_commit
  tcp_keepalives_idle TimeZone track_commit_timestamp wal_level work_mem`.split(/\s+/)

/** What PostgreSQL is, and how large its tables are; partitions count for their table. */
export async function describeDatabase(db: Db) {
  return {
    facts: await getDatabaseFacts(db, systemClock),
    settings: await rows<{ name: string; setting: string; unit: string | null; source: string }>(
      db,
      'select name, setting, unit, source from pg_settings where name = any($1) order by name',
      [settings],
    ),
    connections: await rows<{ state: string | null; waitEventType: string | null; count: number }>(
      db,
      `select state, wait_event_type, count(*) as count from pg_stat_activity where datname = current_database() group by 1, 2 order by 3 desc`,
    ),
    tables: await rows<{ name: string; bytes: number; rows: number; deadRows: number; vacuumedAt: Date | null }>(
      db,
      tables,
    ),
  }
}

const tables = `select coalesce(i.inhparent::regclass, c.oid::regclass)::text as name, sum(pg_total_relation_size(c.oid))::float8 as bytes,
    coalesce(sum(s.n_live_tup), 0)::float8 as rows, coalesce(sum(s.n_dead_tup), 0)::float8 as "deadRows",
    max(greatest(s.last_vacuum, s.last_autovacuum)) as "vacuumedAt"
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_stat_user_tables s on s.relid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1 order by 2 desc`
