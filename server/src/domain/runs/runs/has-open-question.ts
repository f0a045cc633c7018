import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** Whether a turn of a run waits for an answer. */
export async function hasOpenQuestion(
  db: Db,
  { organizationId, runId, turn }: RunIds & { turn: number },
): Promise<boolean> {
  const open = await maybeOne(
    db,
    'select from questions where organization_id = $1 and run_id = $2 and turn = $3 and answered_at is null limit 1',
    [organizationId, runId, turn],
  )
  return open !== undefined
}
