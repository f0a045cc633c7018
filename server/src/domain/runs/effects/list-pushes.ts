import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** A push of a run to its branch that was done, or of which it is not known whether it was. */
export type Push = {
  branch: string
  commit: string
  /** Where the branch was before; null: nowhere. */
  expected: string | null
  turn: number
  /** Whether the agent itself pushed, rather than we at the end of its turn. */
  isByAgent: boolean
  at: Date
}

/** What a run has pushed to its branch, in order. */
export async function listPushes(
  db: Db,
  { organizationId, runId, branch }: RunIds & { branch: string },
): Promise<Push[]> {
  return rows<Push>(
    db,
    `select request->>'branch' as branch, request->>'commit' as commit, request->>'expected' as expected,
       coalesce((request->>'turn')::int, 0) as turn, coalesce((request->>'byAgent')::bool, false) as "isByAgent",
       coalesce(settled_at, created_at) as at
     from effects where organization_id = $1 and run_id = $2 and kind = 'push' and state <> 'refused' and request->>'branch' = $3
     order by created_at`,
    [organizationId, runId, branch],
  )
}
