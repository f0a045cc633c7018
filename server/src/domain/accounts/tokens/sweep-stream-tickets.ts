import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'

/** Removes tickets that nobody has used in time. Answers how many. */
export async function sweepStreamTickets(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from stream_tickets where digest = any(array(
       select digest from stream_tickets where expires_at <= now() order by expires_at limit $1 for update skip locked))`,
    [limits.ticketsSweptMax],
  )
  return rowCount ?? 0
}
