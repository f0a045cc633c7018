import type { Db } from '#db/pool.ts'

/** Says that a worker takes no more runs; those that it has, it hands over. */
export async function drainWorker(db: Db, { workerId }: { workerId: number }): Promise<void> {
  await db.query('update workers set draining = true where id = $1', [workerId])
}
