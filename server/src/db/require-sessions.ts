import type pg from 'pg'

const advice =
  'DATABASE_URL must lead to PostgreSQL itself, or to a pooler that gives each connection a session of its own (PgBouncer: pool_mode = session).'

/**
 * Rejects if a pooler gives a session of the server to another connection after each transaction. The locks that show that a worker
 * has died, LISTEN, and prepared statements belong to a session, and would silently be lost.
 */
export async function requireSessions(pool: pg.Pool): Promise<void> {
  const [one, other] = [await connect(pool), await connect(pool)]
  try {
    const first = await sessionOf(one)
    // Such a pooler gives the free session to the next connection that begins a transaction.
    await other.query('begin')
    const second = await sessionOf(other)
    const again = first === second ? undefined : await sessionOf(one)
    await other.query('rollback')
    if (again !== first) throw new Error(`Connections to the database share sessions. ${advice}`)
  } finally {
    one.release()
    other.release()
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    if (!/unsupported startup parameter/.test((error as Error).message)) throw error
    const parameters = 'statement_timeout, idle_in_transaction_session_timeout'
    throw new Error(
      `A pooler before the database refuses the connection: ${(error as Error).message}. Name them in its ignore_startup_parameters (${parameters}) and set both for the role in PostgreSQL, or connect directly. ${advice}`,
      { cause: error },
    )
  }
}

async function sessionOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
