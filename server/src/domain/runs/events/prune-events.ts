import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes events that are older than whoever reads them may lag behind; a bounded number a call. */
export async function pruneEvents(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from events where (organization_id, id) in (
       select organization_id, id from events where created_at < now() - make_interval(hours => $1)
       order by created_at limit $2 for update skip locked)`,
    [limits.eventsKeptHours, limits.eventsPrunedMax],
  )
  return rowCount ?? 0
}
