import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { Asker } from './message.ts'

/** Who has asked a run for something on a code host without being a member of its organization, as far as we know. */
export async function listAskers(db: Db, { organizationId, runId }: RunIds): Promise<Asker[]> {
  const found = await rows<{ asker: Asker | null }>(
    db,
    `select distinct on (m.asker->>'id') m.asker from messages m
     where m.organization_id = $1 and m.run_id = $2 and m.asker is not null and not exists (
       select from host_accounts a where a.organization_id = $1 and a.user_id = m.author_id and a.host_user_id = m.asker->>'id')`,
    [organizationId, runId],
  )
  return found.flatMap(({ asker }) => asker ?? [])
}
