import type pg from 'pg'

export type Table = { name: string; columns: string[] }
export type Sequence = { name: string; value: number | null }

/**
 * The tables of the service, without partitions, which are read and written through their parent, and without the list of
 * migrations, which migrating makes. Columns that PostgreSQL works out are left out.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'migrations'
     group by c.relname order by c.relname`,
  )
  return rows
}

/** How far each sequence has come; null: it has given nothing yet. */
export async function listSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select c.relname::text as name, pg_sequence_last_value(c.oid)::float8 as value
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' order by c.relname`,
  )
  return rows
}

/** The migrations that have run, oldest first; none where there is no table of them. */
export async function listMigrations(client: pg.ClientBase): Promise<{ name: string; digest: string }[]> {
  const { rows: found } = await client.query<{ has: boolean }>(`select to_regclass('migrations') is not null as has`)
  if (!found[0]?.has) return []
  const { rows } = await client.query<{ name: string; digest: string }>(
    'select name, digest from migrations order by name',
  )
  return rows
}

/** As both sides of a copy write and read values, whatever the server's or the login's settings are. */
export const copySettings = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = '1h';
  set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'`
