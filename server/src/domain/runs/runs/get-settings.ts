import type { Effort } from '#base/models/effort.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

/** What others may change while a run is at work. One statement for all of it, as it is asked at each step. */
export type RunSettings = {
  /** Its own, else those that its repository or its organization names, in the order in which they are asked; none: the operator's. */
  models: string[]
  /** Its own, else its repository's or its organization's. */
  effort: Effort | null
  /** How often one turn may ask a model; null: as often as the operator says. */
  maxModelCalls: number | null
  timeoutMinutes: number
  /** Whether a limit in money applies to it. */
  isLimited: boolean
  /** Whether somebody has said something to it that no turn has taken. */
  hasMessages: boolean
  /** Another one when a model provider of its organization was added, changed or removed. */
  providersVersion: string
}

/** Read by the worker before each model call. Throws `LeaseLost`. */
export async function getSettings(db: Db, { organizationId, runId, leaseId }: Holder): Promise<RunSettings> {
  const settings = await maybeOne<RunSettings>(db, settingsOf, [organizationId, runId, leaseId])
  if (!settings) throw new LeaseLost(runId)
  return settings
}

const settingsOf = {
  name: 'settings-of-run',
  text: `select case when r.model is not null then array[r.model] when p.default_models <> '{}' then p.default_models
         else o.default_models end as models,
       coalesce(r.effort, p.default_effort, o.default_effort) as effort, r.max_model_calls, r.timeout_minutes,
       exists (select from limits_in_money($1, $2)) as "isLimited",
       exists (select from messages m where m.organization_id = $1 and m.run_id = $2 and m.taken_seq is null) as "hasMessages",
       (select coalesce(string_agg(concat_ws('.', m.id, m.xmin, k.xmin), ' ' order by m.id), '') from model_providers m
         left join member_model_keys k on k.organization_id = $1 and k.model_provider_id = m.id and k.user_id = r.user_id
         where m.organization_id = $1) as "providersVersion"
     from runs r join run_heads h on h.organization_id = r.organization_id and h.run_id = r.id
       join organizations o on o.id = r.organization_id
       left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
     where r.organization_id = $1 and r.id = $2 and h.lease_id = $3`,
}
