import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import { keptSince } from './answer-once.ts'

/** Removes answers that are kept no longer: a bounded number at once, so that nobody waits for it. Answers how many. */
export async function sweepIdempotencyKeys(db: Db, { now }: { now: Date }): Promise<number> {
  const { rowCount } = await db.query(
    `delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at <= $1 order by created_at limit $2 for update skip locked))`,
    [keptSince(now), limits.idempotencySweptMax],
  )
  return rowCount ?? 0
}
