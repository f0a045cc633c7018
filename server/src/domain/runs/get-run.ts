import { AppError } from '#base/errors.ts'
import type pg from 'pg'
import type { Db } from '#db/pool.ts'
import { readRun, runColumns, runTables, type Run, type RunIds } from './run.ts'

/** Throws `run_not_found`. */
export async function getRun(db: Db, { organizationId, runId }: RunIds): Promise<Run> {
  const { rows } = await (db as pg.Pool).query<Run>({
    name: 'get-run',
    text: `select ${runColumns} from ${runTables} where r.organization_id = $1 and r.id = $2`,
    values: [organizationId, runId],
  })
  if (!rows[0]) throw new AppError('run_not_found', { message: `There is no run ${runId} in this organization.` })
  return readRun(rows[0])
}
