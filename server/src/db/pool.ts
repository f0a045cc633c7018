import pg from 'pg'
import { limits } from '#base/limits.ts'
import { DatabasePool } from './database-pool.ts'
import type { TenantDb } from './tenant-db.ts'

// Ids and counts are below 2^53 (the sequences end there), so PostgreSQL's 8-byte integers are JavaScript numbers.
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format)),
}

/** A pool, an organization's view of one, or the client of a transaction: every verb of `domain` takes one first and does not care which. */
export type Db = pg.Pool | TenantDb | pg.PoolClient

export type OpenPool = {
  connectionsMax?: number
  name?: string
  /** How long one statement may take. */
  statementMs?: number
}

/**
 * A pool of connections to one PostgreSQL. A connection that breaks is dropped, and never ends the process; so is one
 * that has gone silent: PostgreSQL ends a statement that takes too long and says so, therefore one of which nothing is
 * heard for longer still has lost its connection.
 */
export function openPool(url: string, options: OpenPool = {}): DatabasePool {
  const statementMs = options.statementMs ?? limits.statementMs
  const pool = new DatabasePool({
    connectionString: url,
    max: options.connectionsMax ?? 10,
    application_name: options.name ?? 'runwright',
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + limits.statementAnswerMs,
    // A frozen process must not hold its row locks for longer than its lease lasts.
    idle_in_transaction_session_timeout: 4_000,
    keepAlive: true,
    // Statements that do not wait for each other go out together; see tenant-db.ts.
    pipeline: true,
    types,
  })
  // Without it, a restart of PostgreSQL ends every process: an idle client's 'error' is the pool's, too.
  pool.on('error', () => {})
  return pool
}

/** SQL; with a name it is planned once on each connection, which is worth it where it runs all the time. */
export type Statement = string | { name: string; text: string }

/** All rows of a statement. A column `repo_id` is `repoId` in a row. */
export async function rows<Row>(db: Db, statement: Statement, values: unknown[] = []): Promise<Row[]> {
  const named = typeof statement === 'string' ? { text: statement } : statement
  const result = await db.query<unknown[]>({ ...named, values, rowMode: 'array' })
  const names = result.fields.map(({ name }) => camelCase(name))
  return result.rows.map((found) => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) row[name] = found[index]
    return row as Row
  })
}

/** The first row of a statement, if it has one. */
export async function maybeOne<Row>(db: Db, statement: Statement, values: unknown[] = []): Promise<Row | undefined> {
  return (await rows<Row>(db, statement, values))[0]
}

/** The first row of a statement that always has one. */
export async function one<Row>(db: Db, statement: Statement, values: unknown[] = []): Promise<Row> {
  const row = await maybeOne<Row>(db, statement, values)
  if (!row)
    throw new Error(`no row from: ${(typeof statement === 'string' ? statement : statement.name).slice(0, 100)}`)
  return row
}

const camelNames = new Map<string, string>()

/** What a column is called in a row. Each name is worked out once. */
export function camelCase(name: string): string {
  let camel = camelNames.get(name)
  if (camel === undefined) {
    camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(name, camel)
  }
  return camel
}
