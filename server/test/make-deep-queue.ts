import type { Db } from '#db/pool.ts'
import { makeOrganization } from './make.ts'

const deep = 2_000

/** Many queued runs of one organization, which are older than all that come after. */
export async function makeDeepQueue(
  db: Db,
  { labels = '{}', isLate = false, claims = 0, detail = 'capacity' } = {},
): Promise<number> {
  const { id, adminId } = await makeOrganization(db)
  await db.query(
    `with made as (
       insert into runs (organization_id, user_id, source_type, agent_type, prompt, timeout_minutes, create_pull_request)
       select $1, $2, 'API', 'scripted', 'Wait', 60, false from generate_series(1, $3) returning organization_id, id)
     insert into run_heads (organization_id, run_id, status_detail, labels, claims, queued_at, not_before)
     select organization_id, id, $7, $4, $5, now() - interval '1 hour', now() + case when $6 then interval '1 day' else interval '-1 hour' end from made`,
    [id, adminId, deep, labels, claims, isLate, detail],
  )
  // As if it had waited for longest.
  await db.query(`update run_slots set served_at = now() - interval '1 day' where organization_id = $1`, [id])
  return id
}
