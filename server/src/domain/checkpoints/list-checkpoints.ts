import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { checkpointColumns, type Checkpoint } from './checkpoint.ts'

/** Newest first. */
export async function listCheckpoints(db: Db, { organizationId, runId }: RunIds): Promise<Checkpoint[]> {
  return rows<Checkpoint>(
    db,
    `select ${checkpointColumns} from checkpoints where organization_id = $1 and run_id = $2 order by n desc`,
    [organizationId, runId],
  )
}
