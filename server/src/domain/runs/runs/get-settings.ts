import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

/** What people may change while a run is at work. */
export type RunSettings = {
  /** Its own, else the first that its repository or its organization names. */
  model: string | null
  timeoutMinutes: number
}

/** Read by the worker before each model call. Throws `LeaseLost`. */
export async function getSettings(db: Db, { organizationId, runId, leaseId }: Holder): Promise<RunSettings> {
  const settings = await maybeOne<RunSettings>(
    db,
    `select coalesce(r.model, p.default_models[1], o.default_models[1]) as model, r.timeout_minutes
     from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
       join organizations o on o.id = r.organization_id
       left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
     where r.organization_id = $1 and r.id = $2 and h.lease_id = $3`,
    [organizationId, runId, leaseId],
  )
  if (!settings) throw new LeaseLost(runId)
  return settings
}
