import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { protectTables } from './protect-tables.ts'

export const migrationsFolder = path.join(import.meta.dirname, 'migrations')
/** Any number that nothing else locks. Held during migrations, so that many processes can start at once. */
export const migrationLock = 727_001
/** Migrations, and waiting for another process that migrates, may take longer than any other statement. */
const patient = { query_timeout: 60 * 60_000 }
/** A statement that waits for a table's lock blocks all that come after it, so it waits this long and tries again later. */
const lockWaitMs = 200
const triesMax = 120
const pauseMs = 500
const protectedSince = '0039-owner-bound-too.sql'

/**
 * Brings the database to the newest schema: runs each numbered file that has not run yet, in one transaction each.
 * A newer Runwright may have migrated further. A migration that only adds is compatible; one that removes something names in its
 * first line the newest migration that code must know (`-- contract: 0012`), and older code refuses to start. A migration that was
 * changed after it ran is refused too. Returns the names of the files that it ran. `last`: the newest that is run.
 */
export async function migrate(pool: pg.Pool, { last }: { last?: string } = {}): Promise<string[]> {
  const known = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
  const files = last === undefined ? known : known.filter((name) => name <= last)
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query({ text: 'select pg_advisory_lock($1)', values: [migrationLock], ...patient })
    const ran = await readRan(client)
    refuseContracted([...ran.values()], files)
    // Before anything is migrated, too: in a database that was restored without its roles, its owner would see no rows.
    if (ran.has(protectedSince)) await protectTables(client)
    const fresh: string[] = []
    for (const name of files) {
      const text = await readFile(path.join(migrationsFolder, name), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      const before = ran.get(name)?.digest
      if (before === digest) continue
      if (before) throw new Error(`Migration ${name} was changed after it ran here. Add a new one instead.`)
      await withoutBlocking(client, { name, text, digest })
      fresh.push(name)
    }
    await protectTables(client)
    return fresh
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
    await client.query('reset statement_timeout').catch(() => {})
    client.release()
  }
}

type Ran = { name: string; digest: string; needs: string | null }
type Migration = { name: string; text: string; digest: string }

async function readRan(client: pg.PoolClient): Promise<Map<string, Ran>> {
  await client.query(
    'create table if not exists migrations (name text primary key, digest text not null, ran_at timestamptz not null default now(), needs text)',
  )
  const { rows: columns } = await client.query(
    `select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'needs'`,
  )
  if (!columns.length) await client.query('alter table migrations add column needs text')
  const { rows } = await client.query<Ran>('select name, digest, needs from migrations')
  return new Map(rows.map((row) => [row.name, row]))
}

function refuseContracted(ran: Ran[], files: string[]): void {
  const newest = files.at(-1)?.slice(0, 4) ?? ''
  const tooNew = ran.find(({ name, needs }) => needs !== null && !files.includes(name) && needs > newest)
  if (!tooNew) return
  throw new Error(
    `The database has migration ${tooNew.name}, beside which only a Runwright that knows migration ${tooNew.needs} may run, and this one ends at ${newest}. Start the newer Runwright that made it.`,
  )
}

/** The newest migration that code beside this one must know; null if it only adds. */
function needsOf(text: string): string | null {
  return /^-- contract: (\d{4})\n/.exec(text)?.[1] ?? null
}

async function withoutBlocking(client: pg.PoolClient, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOne(client, migration)
    } catch (error) {
      const isLocked = ((error as Error).cause as { code?: string } | undefined)?.code === '55P03'
      if (!isLocked || tries === triesMax) throw error
      await sleep(pauseMs)
    }
  }
}

async function runOne(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockWaitMs}`)
    await client.query({ text: migration.text, ...patient })
    await client.query('insert into migrations (name, digest, needs) values ($1, $2, $3)', [
      migration.name,
      migration.digest,
      needsOf(migration.text),
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}
