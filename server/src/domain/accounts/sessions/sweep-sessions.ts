import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes sessions that are over. Answers how many. */
export async function sweepSessions(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from sessions where digest = any(array(
       select digest from sessions where expires_at <= now() order by expires_at limit $1 for update skip locked))`,
    [limits.sessionsSweptMax],
  )
  return rowCount ?? 0
}
