import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from './run.ts'

/** What to say of a run that is not there: whether it was. */
export async function missingRun(db: Db, { organizationId, runId }: RunIds): Promise<AppError> {
  const deleted = await maybeOne<{ deletedAt: Date }>(
    db,
    'select deleted_at from deleted_runs where organization_id = $1 and run_id = $2',
    [organizationId, runId],
  )
  const message = deleted
    ? `Run ${runId} was deleted on ${deleted.deletedAt.toISOString().slice(0, 10)}.`
    : `There is no run ${runId} in this organization.`
  return new AppError('run_not_found', { message })
}
