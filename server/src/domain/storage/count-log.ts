import type { Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** Counts what a run's log has come to. It refuses nothing, since it is there. */
export async function countLog(db: Db, { organizationId, runId }: RunIds): Promise<void> {
  await db.query('select count_log($1, $2)', [organizationId, runId])
}
