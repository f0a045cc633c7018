import type { JsonObject } from '#base/json.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { imageColumn, type ImageRef } from '#domain/runs/messages/message.ts'
import { missingRun } from '#domain/runs/missing-run.ts'
import { runTables, type RunIds } from '#domain/runs/run.ts'

/** What a run was given at its start that is too large to be read with it. */
export type RunInput = { images: ImageRef[]; outputSchema: JsonObject | null }

/** Throws `run_not_found`. */
export async function getRunInput(db: Db, { organizationId, runId }: RunIds): Promise<RunInput> {
  const input = await maybeOne<RunInput>(
    db,
    `select r.output_schema, ${imageColumn}
     from ${runTables} join messages m on m.organization_id = r.organization_id and m.run_id = r.id and m.n = 1
     where r.organization_id = $1 and r.id = $2`,
    [organizationId, runId],
  )
  if (!input) throw await missingRun(db, { organizationId, runId })
  return input
}
