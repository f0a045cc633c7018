import type { Db } from '#db/pool.ts'
import type { NodeFault } from './node-fault.ts'

export type ReportHealth = { workerId: number; unfit: NodeFault[] }

/** Says for what faults a worker takes no runs, to whoever asks why runs wait; none: it takes some. */
export async function reportHealth(db: Db, { workerId, unfit }: ReportHealth): Promise<void> {
  await db.query('update workers set unfit = $2 where id = $1', [workerId, unfit])
}
