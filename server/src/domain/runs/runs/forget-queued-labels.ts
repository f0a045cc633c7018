import type { Db } from '#db/pool.ts'

/** Takes organizations that have nothing queued any more, with these labels or with any, out of the turn in which they are served. */
export async function forgetQueuedLabels(db: Db): Promise<void> {
  await db.query('select forget_queued_labels()')
}
