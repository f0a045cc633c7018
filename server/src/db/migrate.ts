import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'

const folder = path.join(import.meta.dirname, 'migrations')
/** Any number that nothing else locks; held while migrating, so that many processes may start at once. */
const lockId = 727_001
/** Migrations, and waiting for another process that migrates, may take longer than any other statement. */
const patient = { query_timeout: 60 * 60_000 }

/**
 * Brings the database to the newest schema: runs each numbered file that has not run yet, in one transaction each.
 * Refuses a database that a newer Runwright has migrated, and a merged migration that was changed afterwards.
 * Answers the names of the files it ran.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query({ text: 'select pg_advisory_lock($1)', values: [lockId], ...patient })
    await client.query(
      'create table if not exists migrations (name text primary key, digest text not null, ran_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migrations')
    const ran = new Map(rows.map((row) => [row.name, row.digest]))
    for (const name of ran.keys()) {
      if (!files.includes(name)) {
        throw new Error(
          `The database has migration ${name}, which this version does not know. Start the newer Runwright that made it.`,
        )
      }
    }
    const fresh: string[] = []
    for (const name of files) {
      const text = await readFile(path.join(folder, name), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      const known = ran.get(name)
      if (known === digest) continue
      if (known) throw new Error(`Migration ${name} was changed after it ran here. Add a new one instead.`)
      await runOne(client, { name, text, digest })
      fresh.push(name)
    }
    await protectTenants(client)
    return fresh
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockId]).catch(() => {})
    await client.query('reset statement_timeout').catch(() => {})
    client.release()
  }
}

/** After every migration and at every start, so that no table is left out, whatever made it. */
async function protectTenants(client: pg.PoolClient): Promise<void> {
  await client.query("begin; set local lock_timeout = '5s'")
  try {
    await client.query('select protect_tenants()')
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function runOne(client: pg.PoolClient, migration: { name: string; text: string; digest: string }): Promise<void> {
  await client.query('begin')
  try {
    await client.query("set local lock_timeout = '5s'")
    await client.query({ text: migration.text, ...patient })
    await client.query('insert into migrations (name, digest) values ($1, $2)', [migration.name, migration.digest])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}
