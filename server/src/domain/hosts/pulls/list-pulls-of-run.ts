import { rows, type Db } from '#db/pool.ts'
import { pullColumns, type Pull } from './pull.ts'

/** The pull requests that a run has opened, oldest first. */
export async function listPullsOfRun(
  db: Db,
  { organizationId, runId }: { organizationId: number; runId: number },
): Promise<Pull[]> {
  return rows<Pull>(db, `select ${pullColumns} from pulls where organization_id = $1 and run_id = $2 order by id`, [
    organizationId,
    runId,
  ])
}
