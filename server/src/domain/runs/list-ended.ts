import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from './run.ts'

/** Which of these runs have ended, or do not exist. */
export async function listEnded(db: Db, runs: RunIds[]): Promise<RunIds[]> {
  const alive = await rows<{ runId: number }>(
    db,
    `select run_id as "runId" from run_heads where run_id = any($1) and status not in ('completed', 'failed', 'cancelled')`,
    [runs.map(({ runId }) => runId)],
  )
  const living = new Set(alive.map(({ runId }) => runId))
  return runs.filter(({ runId }) => !living.has(runId))
}
