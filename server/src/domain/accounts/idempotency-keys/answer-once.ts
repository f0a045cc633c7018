import type pg from 'pg'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { TenantDb } from '#db/tenant-db.ts'
import { inTransaction } from '#db/transaction.ts'
import type { KeyedRequest } from './keyed-request.ts'

/** What is kept to be sent again: `text` is null for an answer without a body; the others are what it tells of. */
export type KeptAnswer = { text: string | null; runId: number | null; repoId: number | null; pullId: number | null }
/** What is sent, and what is kept of it: the same without secrets. */
export type MadeAnswer<Body> = { body: Body; kept: KeptAnswer }
export type OnceAnswered<Body> = { isReplay: false; body: Body } | { isReplay: true; kept: string | null }

/** Keeps the answer of a request. Called in the transaction that makes what the answer tells of. */
export type KeepAnswer = (tx: Db, kept: KeptAnswer) => Promise<void>

export type AnswerOnce<Body> = {
  request: KeyedRequest
  now: Date
  /** Whether making the answer takes longer than a transaction may stay open. `make` then calls `keep` itself. */
  isLong: boolean
  make: (db: Db, keep: KeepAnswer) => Promise<MadeAnswer<Body>>
}

/**
 * Makes the answer of a request once, however often and from wherever the request comes, for as long as answers are kept.
 * Effect and answer are one transaction: a process that dies leaves both or none. What `make` throws is not kept.
 * Throws `idempotency_in_progress`, `idempotency_key_reused`.
 */
export async function answerOnce<Body>(db: pg.Pool | TenantDb, asked: AnswerOnce<Body>): Promise<OnceAnswered<Body>> {
  return asked.isLong ? answerLong(db, asked) : answerShort(db, asked)
}

/** One transaction around all of it. The session's timeouts bound how long it can hold the key. */
function answerShort<Body>(db: Db, { request, now, make }: AnswerOnce<Body>): Promise<OnceAnswered<Body>> {
  return inTransaction(db, async (tx) => {
    await lockKey(tx, request, 'pg_try_advisory_xact_lock')
    const found = await findAnswer(tx, request, now)
    if (found) return { isReplay: true, kept: found.answer }
    const { body, kept } = await make(tx, async () => {})
    await keepAnswer(tx, { request, now, kept })
    return { isReplay: false, body }
  })
}

/**
 * The key is held by a session that has no transaction open, and is free at once when the process dies. What is done
 * outside the database before the effect's transaction is then left over for the sweep of its owner, as without a key.
 */
async function answerLong<Body>(
  db: pg.Pool | TenantDb,
  { request, now, make }: AnswerOnce<Body>,
): Promise<OnceAnswered<Body>> {
  const pool = db instanceof TenantDb ? db.pool : db
  using _place = takePlace(pool)
  const session = await pool.connect()
  let isWhole = false
  try {
    await lockKey(session, request, 'pg_try_advisory_lock')
    const found = await findAnswer(session, request, now)
    if (found) return { isReplay: true, kept: found.answer }
    let isKept = false
    const { body, kept } = await make(db, async (tx, answer) => {
      isKept = true
      await keepAnswer(tx, { request, now, kept: answer })
    })
    if (!isKept) await keepAnswer(db, { request, now, kept })
    return { isReplay: false, body }
  } finally {
    await session.query('select pg_advisory_unlock_all()').then(
      () => (isWhole = true),
      () => {},
    )
    session.release(!isWhole)
  }
}

const places = new WeakMap<pg.Pool, number>()

/** Each long request holds a connection, of which the other requests need some too. Throws `unavailable`. */
function takePlace(pool: pg.Pool): Disposable {
  const taken = places.get(pool) ?? 0
  if (taken >= limits.longKeyedRequestsMax)
    throw new AppError('unavailable', {
      message: 'Too many requests of this kind are in progress. Try again in a moment.',
    })
  places.set(pool, taken + 1)
  return { [Symbol.dispose]: () => void places.set(pool, (places.get(pool) ?? 1) - 1) }
}

/** A lock that is not free is not waited for. Throws `idempotency_in_progress`. */
async function lockKey(
  db: Db,
  { organizationId, digest }: KeyedRequest,
  how: 'pg_try_advisory_xact_lock' | 'pg_try_advisory_lock',
): Promise<void> {
  const lockId = digest.readBigInt64BE(0) ^ BigInt(organizationId ?? 0)
  const { isFree } = await one<{ isFree: boolean }>(db, `select ${how}($1::bigint) as "isFree"`, [String(lockId)])
  if (!isFree) throw new AppError('idempotency_in_progress')
}

/** A statement of its own: that of the lock would not see what was committed while it was sent. */
async function findAnswer(
  db: Db,
  { organizationId, digest, bodyDigest }: KeyedRequest,
  now: Date,
): Promise<{ answer: string | null } | undefined> {
  const found = await maybeOne<{ answer: string | null; bodyDigest: Buffer }>(
    db,
    `select answer, body_digest from idempotency_keys
     where organization_id is not distinct from $1 and digest = $2 and created_at > $3`,
    [organizationId, digest, keptSince(now)],
  )
  if (found && !found.bodyDigest.equals(bodyDigest)) throw new AppError('idempotency_key_reused')
  return found
}

async function keepAnswer(
  tx: Db,
  { request, now, kept }: { request: KeyedRequest; now: Date; kept: KeptAnswer },
): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into idempotency_keys as k (organization_id, digest, body_digest, answer, created_at, run_id, repo_id)
     values ($1, $2, $3, $4, $5, $7, coalesce($8, (select repo_id from pulls where organization_id = $1 and id = $9)))
     on conflict (organization_id, digest) do update
     set body_digest = excluded.body_digest, answer = excluded.answer, created_at = excluded.created_at, run_id = excluded.run_id,
       repo_id = excluded.repo_id
     where k.created_at <= $6`,
    [
      request.organizationId,
      request.digest,
      request.bodyDigest,
      kept.text,
      now,
      keptSince(now),
      kept.runId,
      kept.repoId,
      kept.pullId,
    ],
  )
  // The lock of a session ends with its connection; then another request may have been quicker.
  if (!rowCount) throw new AppError('idempotency_in_progress')
}

/** What is older than this is forgotten. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - limits.idempotencyKeptMs)
}
