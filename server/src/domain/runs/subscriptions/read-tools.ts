import { liveLimits } from '#base/live-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import type { LiveTool, ToolShown } from '#domain/runs/logs/live.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** The tools at work in these runs, for those who have not heard them start. */
export async function readTools(db: Db, ids: RunIds[]): Promise<LiveTool[]> {
  const found = await rows<{ runId: number; step: number; turn: number; afterSeq: number; shown: ToolShown }>(
    db,
    `select h.run_id, s.step, s.turn, h.next_seq - 1 as "afterSeq", s.shown
     from unnest($1::bigint[], $2::bigint[]) as wanted (organization_id, id)
     join run_heads h on h.organization_id = wanted.organization_id and h.run_id = wanted.id
     join lateral (select step, turn, shown from steps where organization_id = h.organization_id and run_id = h.run_id
       and step >= h.next_step - $3 and state = 'started' and shown is not null and lease_id = h.lease_id
       order by step desc limit 1) s on true`,
    [ids.map((one) => one.organizationId), ids.map((one) => one.runId), liveLimits.stepsLookedAt],
  )
  return found.map(({ shown, ...place }) => ({ ...place, ...shown, endedAt: null }))
}
