import type { Db } from '#db/pool.ts'

/** Puts together what has changed about the lengths of queues, so that reading them stays cheap. */
export async function sumQueueChanges(db: Db): Promise<void> {
  await db.query('select sum_queue_changes()')
}
