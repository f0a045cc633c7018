import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrationLock } from '#db/migrate.ts'
import { BackupError } from './backup-error.ts'
import { listMigrations, listSequences, listTables, type Table } from './list-tables.ts'
import type { Manifest } from './manifest.ts'
import { openTable } from './read-table.ts'

/**
 * Fills the tables of an empty database in the transaction of `client`. Foreign keys, triggers and row security are away meanwhile, as
 * rows come in no order and have had their effects; foreign keys are checked as they come back. Rejects with a `BackupError`.
 */
export async function loadTables(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
  const tables = await requireSameTables(client, manifest)
  await requireEmpty(client)
  const quoted = tables.map(({ name }) => client.escapeIdentifier(name))
  await client.query(`truncate ${quoted.join()}`)
  const keys = await dropForeignKeys(client)
  const secured = await listSecured(client)
  for (const name of secured) await client.query(`alter table ${name} no force row level security`)
  for (const name of quoted) await client.query(`alter table ${name} disable trigger user`)
  await setSequences(client, manifest)
  for (const table of tables) await loadTable(client, { folder, table, manifest })
  await leaveMachines(client)
  await skipTime(client, manifest)
  await passMaxima(client)
  for (const { name, table, definition } of keys) await addForeignKey(client, { name, table, definition })
  for (const name of quoted) await client.query(`alter table ${name} enable trigger user`)
  for (const name of secured) await client.query(`alter table ${name} force row level security`)
}

async function requireSameTables(client: pg.Client, manifest: Manifest): Promise<Table[]> {
  const tables = await listTables(client)
  const facts = (of: readonly Table[]) =>
    of
      .map(({ name, columns }) => `${name}(${columns.toSorted().join()})`)
      .sort()
      .join()
  const migrations = await listMigrations(client)
  const isSame =
    JSON.stringify(migrations) === JSON.stringify(manifest.migrations) && facts(tables) === facts(manifest.tables)
  if (!isSame) throw new BackupError(`The database has other tables than the backup. ${advice}`)
  return tables
}

const advice =
  'A backup is restored into an empty database: name another one in DATABASE_URL, or move the folder "postgres" of the data folder away.'

/** Whoever has started a service there has at least its first user. */
export async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
     and relname in ('organizations', 'users', 'credentials', 'runs')`,
  )
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from ${client.escapeIdentifier(name)} limit 1`)
    if (rowCount) throw new BackupError(`The database is not empty: there are rows in ${name}. ${advice}`)
  }
}

type ForeignKey = { name: string; table: string; definition: string }

async function dropForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows: keys } = await client.query<ForeignKey>(
    `select conname::text as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace order by 2, 1`,
  )
  for (const { name, table } of keys)
    await client.query(`alter table ${table} drop constraint ${client.escapeIdentifier(name)}`)
  return keys
}

async function addForeignKey(client: pg.Client, { name, table, definition }: ForeignKey): Promise<void> {
  await client
    .query(`alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`)
    .catch((error: Error) => {
      throw new BackupError(`The rows of the backup do not belong together: ${error.message}. Nothing was restored.`, {
        cause: error,
      })
    })
}

async function listSecured(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = current_schema()::regnamespace and relforcerowsecurity`,
  )
  return rows.map(({ name }) => name)
}

/** First, so that the partitions of runs are there; what is older still is found where no partition is, too. */
async function setSequences(client: pg.Client, { sequences }: Manifest): Promise<void> {
  const known = new Set((await listSequences(client)).map(({ name }) => name))
  for (const { name, value } of sequences) {
    if (!known.has(name)) throw new BackupError(`The backup has a sequence ${name}, and the database has none.`)
    if (value) await client.query('select setval($1::regclass, $2)', [client.escapeIdentifier(name), value])
  }
  await client.query(
    `select make_partitions(n * 100000) from (
       select coalesce(pg_sequence_last_value(pg_get_serial_sequence('runs', 'id')::regclass), 0) / 100000 as last) s,
       generate_series(greatest(0, last - $1), last) as n`,
    [partitionsMax],
  )
}

const partitionsMax = 1_000

type LoadTable = { folder: string; table: Table; manifest: Manifest }

async function loadTable(client: pg.Client, { folder, table: { name, columns }, manifest }: LoadTable): Promise<void> {
  const dumped = manifest.tables.find((table) => table.name === name)
  if (!dumped) throw new BackupError(`The backup has no table ${name}.`)
  if (columns.length !== dumped.columns.length) throw new BackupError(`The backup has other columns of ${name}.`)
  const quoted = dumped.columns.map((column) => client.escapeIdentifier(column)).join()
  const copy = client.query(copyFrom(`copy ${client.escapeIdentifier(name)} (${quoted}) from stdin`))
  // Told once more as the connection ends, where its content was damaged.
  copy.on('error', () => {})
  try {
    await pipeline(await openTable(folder, dumped), copy)
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`The rows of ${name} cannot be restored: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Work trees on machines may be newer than what is restored: no run goes on in one. Those that were at work start again from their
 * last checkpoint.
 */
async function leaveMachines(client: pg.Client): Promise<void> {
  await client.query(`update workers set place = 'restored', alive_until = least(alive_until, now())`)
  await client.query(
    `update steps s set response = jsonb_set(s.response::jsonb, '{place}', '"restored"')::json from run_heads h
     where h.organization_id = s.organization_id and h.run_id = s.run_id and h.status not in ('completed', 'failed', 'cancelled')
       and s.kind = 'note' and s.key ~ '^t[0-9]+/workspace' and s.response->>'place' is not null`,
  )
}

/** The time since the backup counts for nobody: a turn has as much left as it had, and merges that were cut off are still looked at. */
async function skipTime(client: pg.Client, { takenAt }: Manifest): Promise<void> {
  const age = "greatest(now() - $1::timestamptz, interval '0')"
  await client.query(
    `update run_heads set turn_started_at = turn_started_at + ${age} where status in ('queued', 'in_progress') and held_at is null`,
    [takenAt],
  )
  await client.query(`update pulls set merge_intended_at = merge_intended_at + ${age} where not merged`, [takenAt])
}

/** Whatever the backup says of sequences: none gives a number that is taken. */
async function passMaxima(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(
    `select d.objid::regclass::text as sequence, d.refobjid::regclass::text as table, quote_ident(a.attname) as column
     from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
       join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
     where d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i') and s.relnamespace = current_schema()::regnamespace`,
  )
  for (const { sequence, table, column } of rows)
    await client.query(
      `select setval($1::regclass, m.last) from (select max(${column}) as last from ${table}) m
       where m.last > coalesce(pg_sequence_last_value($1::regclass), 0)`,
      [sequence],
    )
}
