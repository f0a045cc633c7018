import type { JsonObject } from '#base/json.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { Holder } from '#domain/runs/holder.ts'

/** The tool that this turn has begun last and of which no outcome is stored. */
export function findOpenTool(
  db: Db,
  { organizationId, runId, turn }: Holder,
): Promise<{ name: string; input: JsonObject | null } | undefined> {
  return maybeOne(
    db,
    `select coalesce(request->>'name', request->>'tool', kind) as name, request->'input' as input
     from steps where organization_id = $1 and run_id = $2 and turn = $3 and kind = 'tool' and state = 'started'
     order by step desc limit 1`,
    [organizationId, runId, turn],
  )
}
