import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/steps/step.ts'

/** What people may change while a run is at work, and what it has cost. */
export type RunSettings = {
  model: string | null
  timeoutMinutes: number
  maxCostUsd: number | null
  /** Null where no price is known. */
  costUsd: number | null
}

/** Read by the worker before each model call. Throws `LeaseLost`. */
export async function getSettings(db: Db, { organizationId, runId, leaseId }: Holder): Promise<RunSettings> {
  const settings = await maybeOne<RunSettings>(
    db,
    `select r.model, r.timeout_minutes as "timeoutMinutes", r.max_cost_usd as "maxCostUsd", h.cost_usd::float8 as "costUsd"
     from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
     where r.organization_id = $1 and r.id = $2 and h.lease_id = $3`,
    [organizationId, runId, leaseId],
  )
  if (!settings) throw new LeaseLost(runId)
  return settings
}
