import { maybeOne, type Db } from '#db/pool.ts'
import type { RunError, RunIds, RunStatus } from '#domain/runs/run.ts'
import { hasEnded } from '#domain/runs/run-head.ts'

export type FixEnd = { pushed: string | null; isStopped: boolean; reason: string | null }

type Row = { status: RunStatus; turn: number; error: RunError | null; pushed: string | null }

/** How a turn that was to fix checks has ended; undefined while it is at work. */
export async function findFixEnd(
  db: Db,
  { organizationId, runId, turn }: RunIds & { turn: number },
): Promise<FixEnd | undefined> {
  const row = await maybeOne<Row>(
    db,
    `select h.status, h.turn, r.error,
       (select e.request->>'commit' from effects e where e.organization_id = $1 and e.run_id = $2 and e.kind = 'push' and e.state = 'done'
        and (e.request->>'turn')::int = $3 order by e.settled_at desc limit 1) as pushed
     from run_heads h join runs r on r.organization_id = h.organization_id and r.id = h.run_id
     where h.organization_id = $1 and h.run_id = $2`,
    [organizationId, runId, turn],
  )
  if (!row) return { pushed: null, isStopped: false, reason: 'the run is gone' }
  const isPast = row.turn > turn
  if (!isPast && !hasEnded(row)) return undefined
  const reason = !isPast && row.error ? `the agent's turn failed: ${row.error.message}` : null
  return { pushed: row.pushed, isStopped: !isPast && row.status === 'cancelled', reason }
}
