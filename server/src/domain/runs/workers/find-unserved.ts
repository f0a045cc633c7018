import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'

export type Unserved = { labels: string[]; runs: number; reason: 'no_worker' | 'no_fit_worker' }

/** Which labels queued runs ask for that no living, fit worker has, and have for so long that somebody should look. */
export async function findUnserved(db: Db): Promise<Unserved[]> {
  return rows<Unserved>(
    db,
    `select * from (
       select labels, count(*) as runs, wait_reason(labels) as reason from run_heads
       where status = 'queued' and updated_at < now() - $1 * interval '1 millisecond' group by labels) asked
     where reason <> 'capacity' order by labels`,
    [limits.unservedMs],
  )
}

export function describeUnserved({ labels, runs, reason }: Unserved): string {
  const which = labels.length ? `worker with the labels ${labels.join(', ')}` : 'worker'
  return `${runs} queued ${runs === 1 ? 'run waits' : 'runs wait'} for a ${which}, and none ${reason === 'no_worker' ? 'is alive' : 'that is alive is fit'}.`
}
