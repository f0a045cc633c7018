import type { EnforcementReport } from '#base/enforcement.ts'
import { limits } from '#base/limits.ts'
import { DatabaseClient } from '#db/database-client.ts'
import { endConnection } from '#db/end-connection.ts'
import { heartbeatOptions, watchHeartbeat } from '#db/heartbeat.ts'
import { workerLockClass } from './living.ts'
import { renewWorker } from './renew-worker.ts'
import { wakeChannel, type Wake } from '#domain/accounts/organizations/wake-workers.ts'

export type RegisterWorker = {
  databaseUrl: string
  name: string
  slots: number
  version: string
  labels: string[]
  /** The folder where it keeps its sandboxes, by a name that no other has. */
  place: string
  /** Whose runs alone it takes; null or left out: those of all organizations. */
  organizationId?: number | null
  /** By which its machine was let in, if it is a remote one. */
  tokenId?: number | null
  /** How it holds the limits of its sandboxes; left out: it does not say. */
  enforcement?: EnforcementReport
  onWake: (wake: Wake) => void
  /** The session is gone; the others know, and take the runs. */
  onLost: () => void
}
export type WorkerSession = AsyncDisposable & {
  workerId: number
  /** Prolongs the worker's lease, and with it that of all its runs. False when it had ended: they are not its runs any more. */
  renew(): Promise<boolean>
}

/**
 * Makes this process a worker, on a connection of its own: its session holds a lock on the worker's id, so that the
 * others see a crash at once. The lease in the row is what counts when the lock is silent.
 */
export async function registerWorker({
  databaseUrl,
  name,
  slots,
  version,
  labels,
  place,
  organizationId = null,
  tokenId = null,
  enforcement,
  onWake,
  onLost,
}: RegisterWorker): Promise<WorkerSession> {
  const session = new DatabaseClient({
    connectionString: databaseUrl,
    application_name: 'runwright worker',
    ...heartbeatOptions,
    keepAlive: true,
  })
  session.on('error', onLost)
  session.on('end', onLost)
  session.on('notification', (message) => onWake(JSON.parse(message.payload ?? '{}') as Wake))
  const close = () => endConnection(session)
  try {
    await session.connect()
    const { rows } = await session.query<{ id: string }>(
      `select nextval(pg_get_serial_sequence('workers', 'id')) as id`,
    )
    const workerId = Number(rows[0]?.id)
    // Locked before the row is there: a row without its lock would be taken for a crashed worker.
    await session.query('select pg_advisory_lock($1, $2)', [workerLockClass, workerId])
    await session.query(
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
    await session.query(`listen ${wakeChannel}`)
    const heartbeat = watchHeartbeat(session, onLost)
    return {
      workerId,
      renew: () => renewWorker(session, { workerId }),
      [Symbol.asyncDispose]: async () => {
        heartbeat[Symbol.dispose]()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
