import { rows, type Db } from '#db/pool.ts'
import { readRun, runColumns, runTables, type Run, type RunIds, type RunRow } from '#domain/runs/run.ts'

/** The runs that a run's agent has started, oldest first. */
export async function listChildRuns(db: Db, { organizationId, runId }: RunIds): Promise<Run[]> {
  const children = await rows<RunRow>(
    db,
    `select ${runColumns} from ${runTables}
     where r.organization_id = $1 and r.parent_run_id = $2 and r.child_key is not null order by r.id`,
    [organizationId, runId],
  )
  return children.map(readRun)
}
