import type pg from 'pg'
import type { EnforcementReport } from '#base/enforcement.ts'
import { limits } from '#base/limits.ts'
import { workerLockClass } from './living.ts'

export type RegisterWorker = {
  name: string
  slots: number
  version: string
  labels: string[]
  /** The folder where it keeps its sandboxes, by a name that no other has. */
  place: string
  /** Whose runs alone it takes; null or left out: those of all organizations. */
  organizationId?: number | null
  /** By which its machine was let in, if it is a remote one. */
  tokenId?: number | null | undefined
  /** How it holds the limits of its sandboxes; left out: it does not say. */
  enforcement?: EnforcementReport
}

/**
 * Registers a worker and answers with its id, on which the session of `db` holds a lock until the worker is unregistered or the session
 * ends. The lease in the row is what counts when the lock is silent.
 */
export async function registerWorker(
  db: Pick<pg.ClientBase, 'query'>,
  { name, slots, version, labels, place, organizationId = null, tokenId = null, enforcement }: RegisterWorker,
): Promise<number> {
  const { rows } = await db.query<{ id: string }>(`select nextval(pg_get_serial_sequence('workers', 'id')) as id`)
  const workerId = Number(rows[0]?.id)
  // Locked before the row is there: a row without its lock would be taken for a crashed worker.
  await db.query('select pg_advisory_lock($1, $2)', [workerLockClass, workerId])
  await db.query(
    // One without slots is there for jobs alone: it takes no runs, as one that ends.
    `insert into workers (id, name, slots, version, labels, place, enforcement, alive_until, draining, organization_id, token_id)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 millisecond', $3 = 0, $9, $10)`,
    [
      workerId,
      name,
      slots,
      version,
      labels,
      place,
      enforcement && JSON.stringify(enforcement),
      limits.leaseMs,
      organizationId,
      tokenId,
    ],
  )
  return workerId
}
