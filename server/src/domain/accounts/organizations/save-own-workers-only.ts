import type { Db } from '#db/pool.ts'
import { wakeWorkers } from './wake-workers.ts'

export type SaveOwnWorkersOnly = { organizationId: number; ownWorkersOnly: boolean }

/** Says who takes what is queued from now on. What is at work goes on where it is. */
export async function saveOwnWorkersOnly(
  tx: Db,
  { organizationId, ownWorkersOnly }: SaveOwnWorkersOnly,
): Promise<void> {
  await tx.query('update run_slots set own_workers_only = $2 where organization_id = $1', [
    organizationId,
    ownWorkersOnly,
  ])
  await wakeWorkers(tx, { queued: true })
}
