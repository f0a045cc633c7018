import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from './run.ts'

/** Throws `conflict` for a run that goes on elsewhere, and so cannot be sent, told or asked anything from here. */
export async function refuseOutsideRun(tx: Db, { organizationId, runId }: RunIds): Promise<void> {
  const found = await maybeOne(tx, 'select from outside_sessions where organization_id = $1 and run_id = $2', [
    organizationId,
    runId,
  ])
  if (!found) return
  throw new AppError('conflict', {
    message: `Run ${runId} shows a session on somebody's own machine. Go on with it there, or start a new run here.`,
  })
}
