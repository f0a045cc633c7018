import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** The runs that a worker holds, as the database has it. */
export async function listHeld(db: Db, { workerId }: { workerId: number }): Promise<(RunIds & { leaseId: string })[]> {
  return rows(db, 'select organization_id, run_id, lease_id from run_heads where worker_id = $1', [workerId])
}
