import type { Db } from '#db/pool.ts'

/** Makes the log's and the steps' partitions for the runs to come, where they are missing. */
export async function makePartitions(db: Db): Promise<void> {
  await db.query('select make_partitions(coalesce((select max(id) from runs), 0))')
}
