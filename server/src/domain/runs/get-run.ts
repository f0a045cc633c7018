import { maybeOne, type Db } from '#db/pool.ts'
import { missingRun } from './missing-run.ts'
import { readRun, runColumns, runTables, type Run, type RunIds, type RunRow } from './run.ts'

/** Throws `run_not_found`. */
export async function getRun(db: Db, { organizationId, runId }: RunIds): Promise<Run> {
  const text = `select ${runColumns} from ${runTables} where r.organization_id = $1 and r.id = $2`
  const run = await maybeOne<RunRow>(db, { name: 'get-run', text }, [organizationId, runId])
  if (!run) throw await missingRun(db, { organizationId, runId })
  return readRun(run)
}
