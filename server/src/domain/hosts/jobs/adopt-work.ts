import type { Db } from '#db/pool.ts'

/**
 * Requests what waits in its own table and has no job, as where a process of the version before has queued it (migration 0051).
 * To be removed with the columns of that version.
 */
export async function adoptWork(db: Db): Promise<void> {
  await db.query('select adopt_work()')
}
