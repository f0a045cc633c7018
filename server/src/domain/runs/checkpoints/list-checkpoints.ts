import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { Checkpoint } from './checkpoint.ts'

/** Newest first. */
export async function listCheckpoints(db: Db, { organizationId, runId }: RunIds): Promise<Checkpoint[]> {
  return rows<Checkpoint>(
    db,
    `select c.n, c.turn, c.step, s.finished_at as "stepDoneAt", c.commit, c.base_commits,
       c.branch_commit, c.sha256, c.bytes
     from checkpoints c join steps s on s.organization_id = c.organization_id and s.run_id = c.run_id and s.step = c.step
     where c.organization_id = $1 and c.run_id = $2 order by c.n desc`,
    [organizationId, runId],
  )
}
