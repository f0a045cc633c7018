import { pause } from '#base/concurrency/pause.ts'
import { limits } from '#base/limits.ts'
import { DatabaseClient } from './database-client.ts'
import { endConnection } from './end-connection.ts'
import type { Db } from './pool.ts'

/** Any number that nothing else locks with a second one; the second is `leadLock`, or that of a seat. */
const leadLockClass = 727_004
const leadLock = 0
/** Of those who lead and who wait to, each has one. The others hold no connection for it, and look now and then whether one is free. */
const seats = 3
/** PostgreSQL ends the session of a leader of which it has heard nothing for so long. */
export const leadSilenceMs = 1_500
/** Who waits to lead asks anew this often, so that it knows that its connection lives; who does not wait, whether there is room. */
const leadWaitMs = 30_000
export const leadSeatMs = 5_000
/** Between two turns of the leader, those who wait see that it leads, and let it lock the table again before they do. */
const turnPauseMs = 200

export type OpenLead = {
  databaseUrl: string
  pool: Db
  /**
   * Does what only one process does, until it is told to stop. It has to use the session at least every `leadSilenceMs`, and
   * inside a transaction that is not its own: for reads alone, with `statement_timestamp()` as the time, and taken back to a
   * savepoint, as locks and snapshots would last for up to `turnMs`. Where it rejects, another one leads.
   */
  onLead: (session: DatabaseClient, stop: AbortSignal) => Promise<void>
  /** Who leads begins a new transaction this often: one that is open for long alarms those who look after the database. */
  turnMs?: number
}

/**
 * Of all processes of the service, one leads: it holds a lock for as long as its session lives. Two more wait for it, each on a
 * session of its own, so that one of them leads as soon as it ends. PostgreSQL itself ends the session of a leader of which it hears
 * nothing. For a moment two may believe that they lead, so what a leader does must be right when two do it.
 */
export function openLead({ databaseUrl, pool, onLead, turnMs = 60_000 }: OpenLead): AsyncDisposable {
  const stop = new AbortController()
  const leading = (async () => {
    while (!stop.signal.aborted) {
      if (await hasFreeSeat(pool)) await takeSeat(databaseUrl, { onLead, turnMs, stop: stop.signal }).catch(() => {})
      // Not all at the same moment.
      await pause(leadSeatMs * (0.5 + Math.random() / 2), stop.signal)
    }
  })()
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await leading
    },
  }
}

async function hasFreeSeat(pool: Db): Promise<boolean> {
  const free = `select from generate_series(1, $2::int) as seat where pg_try_advisory_xact_lock($1, seat) limit 1`
  const found = await pool.query(free, [leadLockClass, seats]).catch(() => undefined)
  return found?.rowCount === 1
}

type TakeSeat = Required<Pick<OpenLead, 'onLead' | 'turnMs'>> & { stop: AbortSignal }

/** Waits for the lead and leads, until it is told to stop or the session ends. */
async function takeSeat(databaseUrl: string, { onLead, turnMs, stop }: TakeSeat): Promise<void> {
  const session = new DatabaseClient({
    connectionString: databaseUrl,
    application_name: 'runwright leader',
    connectionTimeoutMillis: limits.connectMs,
    // Longer than the wait for the lock: a connection on which nothing is heard for so long has gone.
    query_timeout: leadWaitMs + limits.statementAnswerMs,
    keepAlive: true,
  })
  const ended = new AbortController()
  session.on('error', () => ended.abort())
  session.on('end', () => ended.abort())
  const over = AbortSignal.any([stop, ended.signal])
  const close = () => void endConnection(session)
  try {
    await session.connect()
    stop.addEventListener('abort', close, { once: true })
    await session.query(
      `set statement_timeout = 0; set lock_timeout = ${leadWaitMs}; set idle_session_timeout = ${leadSilenceMs};
       set idle_in_transaction_session_timeout = ${leadSilenceMs}`,
    )
    // What PostgreSQL has to look up of the table would be a snapshot too, for as long as the first wait lasts.
    await session.query('select from leadership')
    const { rows } = await session.query(
      'select from generate_series(1, $2::int) as seat where pg_try_advisory_lock($1, seat) limit 1',
      [leadLockClass, seats],
    )
    if (!rows.length) return
    while (!over.aborted && !(await hasLead(session))) await pause(turnPauseMs, over)
    if (over.aborted) return
    const turns = setInterval(() => void session.query(`commit; ${turn}`).catch(close), turnMs)
    await onLead(session, over).finally(() => clearInterval(turns))
  } finally {
    stop.removeEventListener('abort', close)
    await endConnection(session)
  }
}

/**
 * Ends when nobody else leads. While it waits, and as long as it is open, it has no snapshot: with one, which a wait for an
 * advisory lock does have, PostgreSQL could remove no row that has died since then.
 */
const turn = 'begin isolation level read committed; lock table leadership in share update exclusive mode'

/** False when it has waited for a while in vain, or another one leads and only begins its next turn. */
async function hasLead(session: DatabaseClient): Promise<boolean> {
  try {
    await session.query(turn)
    const lock = 'select where pg_try_advisory_lock($1, $2)'
    if ((await session.query(lock, [leadLockClass, leadLock])).rowCount) return true
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
  }
  await session.query('rollback')
  return false
}
