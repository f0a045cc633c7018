import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'

export type Unserved = { labels: string[]; runs: number }

/** Which labels queued runs ask for that no living worker has, and have for so long that somebody should look. */
export async function findUnserved(db: Db): Promise<Unserved[]> {
  return rows<Unserved>(
    db,
    `select labels, count(*) as runs from run_heads
     where status = 'queued' and updated_at < now() - $1 * interval '1 millisecond' and wait_reason(labels) = 'no_worker'
     group by labels order by labels`,
    [limits.unservedMs],
  )
}

export function describeUnserved({ labels, runs }: Unserved): string {
  const which = labels.length ? `worker with the labels ${labels.join(', ')}` : 'worker'
  return `${runs} queued ${runs === 1 ? 'run waits' : 'runs wait'} for a ${which}, and none is alive.`
}
