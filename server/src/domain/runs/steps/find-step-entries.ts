import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** For each step of the run that these keys name and that the log tells of, the number of its first entry. */
export async function findStepEntries(
  db: Db,
  { organizationId, runId }: RunIds,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const found = await rows<{ key: string; seq: number }>(
    db,
    'select key, seq from steps where organization_id = $1 and run_id = $2 and key = any($3) and seq is not null',
    [organizationId, runId, keys],
  )
  return new Map(found.map(({ key, seq }) => [key, seq]))
}
