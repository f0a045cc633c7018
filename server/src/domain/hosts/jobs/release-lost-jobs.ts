import type { Db } from '#db/pool.ts'
import { unclaimed } from './job.ts'
import { deadWorkers } from '#domain/runs/workers/living.ts'

/** Has jobs of dead workers claimed by others at once, before their claims run out. Answers how many. */
export async function releaseLostJobs(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `update jobs set ${unclaimed}
     where claimed_until is not null and worker_id in (${deadWorkers})`,
  )
  return rowCount ?? 0
}
