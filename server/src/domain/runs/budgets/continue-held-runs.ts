import { rows, type Db } from '#db/pool.ts'
import { enqueueHeld } from './enqueue-held.ts'
import { budgetReached } from './hold-spent-run.ts'

/** Continues runs that were paused for money and may spend again: one run and those under its budget, or all of the organization. */
export async function continueHeldRuns(
  tx: Db,
  { organizationId, runId = null }: { organizationId: number; runId?: number | null },
): Promise<void> {
  const held = await rows<{ runId: number; isPaused: boolean }>(
    tx,
    `select run_id, status = 'paused' as "isPaused" from run_heads
     where organization_id = $1 and ($2::bigint is null or run_id = $2
         or run_id in (select id from runs where organization_id = $1 and root_run_id = $2)) and status_detail = $3
       and (status = 'paused' or (status = 'in_progress' and wanted = 'pause')) and not has_spent_all(organization_id, run_id)
     order by run_id for update`,
    [organizationId, runId, budgetReached],
  )
  for (const { runId, isPaused } of held) {
    if (isPaused) await enqueueHeld(tx, { organizationId, runId })
    // Its worker is about to release it; the run is then queued, not paused.
    else await tx.query({ ...dropPause, values: [organizationId, runId] })
  }
}

const dropPause = {
  name: 'drop-budget-pause',
  text: `update run_heads set wanted = null, status_detail = 'working', revision = revision + 1, updated_at = now()
    where organization_id = $1 and run_id = $2`,
}
