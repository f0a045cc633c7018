import type pg from 'pg'
import { workerLockClass } from './living.ts'

/** Lets go of a worker's lock, in the session that holds it: the others see at once that the worker has ended. */
export async function unregisterWorker(
  db: Pick<pg.ClientBase, 'query'>,
  { workerId }: { workerId: number },
): Promise<void> {
  await db.query('select pg_advisory_unlock($1, $2)', [workerLockClass, workerId])
}
