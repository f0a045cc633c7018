import type { JsonObject } from '#base/json.ts'
import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

export type ToolStep = { step: number; turn: number; key: string; request: JsonObject }

/** What was done after this step, oldest first. */
export async function listToolSteps(
  db: Db,
  { organizationId, runId, after }: RunIds & { after: number },
): Promise<ToolStep[]> {
  return rows<ToolStep>(
    db,
    `select step, turn, key, request from steps
     where organization_id = $1 and run_id = $2 and step > $3 and kind = 'tool' and state = 'done' order by step`,
    [organizationId, runId, after],
  )
}
