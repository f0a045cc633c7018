import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { pushKey } from './effect.ts'

/** Whether it was the run itself that moved its branch there, or was about to. */
export async function hasPushed(
  db: Db,
  { organizationId, runId, branch, commit }: RunIds & { branch: string; commit: string },
): Promise<boolean> {
  const effect = await maybeOne(db, 'select from effects where organization_id = $1 and run_id = $2 and key = $3', [
    organizationId,
    runId,
    pushKey(branch, commit),
  ])
  return effect !== undefined
}
