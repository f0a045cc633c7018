import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'

export type Unserved = { labels: string[]; runs: number; reason: 'no_worker' | 'no_fit_worker' }

/** Which labels queued runs ask for that no living, fit worker has, and have for so long that somebody should look. */
export async function findUnserved(db: Db): Promise<Unserved[]> {
  return rows<Unserved>(db, unserved.text, [limits.unservedMs])
}

/** It costs the sets of labels, and nothing for each queued run. */
export const unserved = {
  text: `
  with asked as materialized (select labels, sum(change)::int as runs from queue_changes group by labels having sum(change) > 0)
  select labels, runs, reason from asked, wait_reason(labels) as reason
  where reason <> 'capacity' and (
    select h.queued_at from run_heads h where h.status = 'queued' and h.labels = asked.labels
    order by h.labels, h.queued_at limit 1) < now() - $1 * interval '1 millisecond'
  order by labels`,
}

export function describeUnserved({ labels, runs, reason }: Unserved): string {
  const which = labels.length ? `worker with the labels ${labels.join(', ')}` : 'worker'
  return `${runs} queued ${runs === 1 ? 'run waits' : 'runs wait'} for a ${which}, and none ${reason === 'no_worker' ? 'is alive' : 'that is alive is fit'}.`
}
