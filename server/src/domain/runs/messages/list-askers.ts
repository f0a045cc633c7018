import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { Asker } from './message.ts'

/**
 * Who has asked a run for something on a code host without being a member of its organization, as far as we know. What an agent
 * started is asked for by those who asked its agent.
 */
export async function listAskers(db: Db, { organizationId, runId }: RunIds): Promise<Asker[]> {
  const found = await rows<{ asker: Asker | null }>(
    db,
    `with recursive asked as (
       select id, parent_run_id, child_key from runs where organization_id = $1 and id = $2
       union
       select r.id, r.parent_run_id, r.child_key from runs r join asked a on r.id = a.parent_run_id
       where r.organization_id = $1 and a.child_key is not null)
     select distinct on (m.asker->>'id') m.asker from messages m join asked on asked.id = m.run_id
     where m.organization_id = $1 and m.asker is not null and not exists (
       select from host_accounts a where a.organization_id = $1 and a.user_id = m.author_id and a.host_user_id = m.asker->>'id')`,
    [organizationId, runId],
  )
  return found.flatMap(({ asker }) => asker ?? [])
}
