import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { Asker } from './message.ts'

/** Of a message `m`: nobody of the organization has asked for it. */
export const isFromOutside = (message: string) => `not exists (
  select from host_accounts a where a.organization_id = ${message}.organization_id and a.user_id = ${message}.author_id
    and a.host_user_id = ${message}.asker->>'id')`

/**
 * Who has asked a run for something on a code host without being a member of its organization, as far as we know. What an agent
 * started is asked for by those who asked its agent, whether or not its agent's run was deleted since.
 */
export async function listAskers(db: Db, { organizationId, runId }: RunIds): Promise<Asker[]> {
  const found = await rows<{ asker: Asker | null }>(db, askersOf, [organizationId, runId])
  return found.flatMap(({ asker }) => asker ?? [])
}

const askersOf = `
  with recursive asked as (
    select id, case when child_key is not null then parent_run_id end as agent_run_id from runs where organization_id = $1 and id = $2
    union
    select k.id, k.agent_run_id from asked a join (
      select id, case when child_key is not null then parent_run_id end as agent_run_id from runs where organization_id = $1
      union all
      select run_id, parent_run_id from deleted_runs where organization_id = $1) k on k.id = a.agent_run_id)
  select distinct on (asker->>'id') asker from (
    select m.asker from messages m join asked on asked.id = m.run_id
    where m.organization_id = $1 and m.asker is not null and ${isFromOutside('m')}
    union all
    select asker::json from deleted_runs d join asked on asked.id = d.run_id, jsonb_array_elements(d.askers) asker
    where d.organization_id = $1) askers`
