import type { Db } from '#db/pool.ts'

/** Asks the sequence of ids, so that it costs the same however many runs there are. */
export const makePartitionsStatement = `select make_partitions(coalesce(
  pg_sequence_last_value(pg_get_serial_sequence('runs', 'id')::regclass), 0))`

/** Makes the log's and the steps' partitions for the runs to come, where they are missing. */
export async function makePartitions(db: Db): Promise<void> {
  await db.query(makePartitionsStatement)
}
