import type { Db } from '#db/pool.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import type { JobKind } from './job.ts'

export type RequestJob = {
  organizationId: number
  kind: JobKind
  /** What of that kind it is about. A second request of the same is the same job. */
  ref: string | number
  /** Jobs of one key are done in the order of their first requests, one at a time. By default each has its own. */
  key?: string
  /** Not before so many milliseconds have passed; 0 by default. */
  delayMs?: number
  /** A request that waits already is put off by this one, too, in place of being due at the earlier time. */
  postpones?: boolean
}

/**
 * Requests work by any worker, in the transaction in which it comes up. What is requested while it is being done is done
 * once more; what was given up begins anew.
 */
export async function requestJob(
  tx: Db,
  { organizationId, kind, ref, key, delayMs = 0, postpones = false }: RequestJob,
): Promise<void> {
  await tx.query(`select request_job($1, $2, $3, now() + $4 * interval '1 millisecond', $5, $6)`, [
    organizationId,
    kind,
    String(ref),
    delayMs,
    key,
    postpones,
  ])
  if (!delayMs) await wakeWorkers(tx, { jobs: true })
}
