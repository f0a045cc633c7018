import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes old notifications; a bounded number a call. */
export async function sweepNotifications(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from notifications where (organization_id, id) in (
       select organization_id, id from notifications where created_at < now() - make_interval(days => $1)
       order by created_at limit $2 for update skip locked)`,
    [limits.notificationsKeptDays, limits.notificationsSweptMax],
  )
  return rowCount ?? 0
}
