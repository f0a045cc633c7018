import type { JsonObject } from '#base/json.ts'
import type { Effort } from '#base/models/effort.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { continueHeldRuns } from '#domain/runs/budgets/continue-held-runs.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { lockRunHead } from '#domain/runs/run-head.ts'

/** What is left out stays as it is. */
export type RunChanges = {
  title?: string | undefined
  metadata?: JsonObject | null | undefined
  archived?: boolean | undefined
  /** This and what follows hold from the next step of a run at work. */
  model?: string | null | undefined
  effort?: Effort | null | undefined
  maxModelCalls?: number | null | undefined
  maxCostUsd?: number | null | undefined
  timeoutMinutes?: number | undefined
}

/** A run that was held because its money was spent goes on with more. Throws `run_not_found`. */
export async function updateRun(
  db: Db,
  { organizationId, runId, changes }: RunIds & { changes: RunChanges },
): Promise<Run> {
  const { title, metadata, archived, model, effort, maxModelCalls, maxCostUsd, timeoutMinutes } = changes
  const values: unknown[] = [organizationId, runId]
  const settings: string[] = []
  const set = (column: string, value: unknown) => {
    if (value !== undefined) settings.push(`${column} = $${values.push(value)}`)
  }
  set('title', title)
  set('metadata', metadata && JSON.stringify(metadata))
  set('model', model)
  set('effort', effort)
  set('max_model_calls', maxModelCalls)
  set('max_cost_usd', maxCostUsd)
  set('timeout_minutes', timeoutMinutes)
  if (archived !== undefined) settings.push(`archived_at = ${archived ? 'coalesce(archived_at, now())' : 'null'}`)
  return inTransaction(db, async (tx) => {
    await lockRunHead(tx, { organizationId, runId })
    if (settings.length) {
      await tx.query(`update runs set ${settings.join(', ')} where organization_id = $1 and id = $2`, values)
      await tx.query(
        'update run_heads set revision = revision + 1, updated_at = now() where organization_id = $1 and run_id = $2',
        [organizationId, runId],
      )
    }
    if (maxCostUsd !== undefined) await continueHeldRuns(tx, { organizationId, runId })
    return getRun(tx, { organizationId, runId })
  })
}
