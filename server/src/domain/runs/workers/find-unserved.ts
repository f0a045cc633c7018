import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { waitsApart, whose } from './waits-apart.ts'

export type Unserved = { labels: string[]; runs: number; reason: 'no_worker' | 'no_fit_worker' }

/**
 * Which labels queued runs ask for that no living, fit worker has, and have for so long that somebody should look. Those that wait
 * for a worker of their own organization are not among them: its members are told.
 */
export async function findUnserved(db: Db): Promise<Unserved[]> {
  return rows<Unserved>(db, unserved.text, [limits.unservedMs])
}

/** It costs the sets of labels, and nothing for each queued run. */
export const unserved = {
  text: `
  with ${waitsApart},
  asked as materialized (
    select whose, labels, sum(change)::int as runs from (select ${whose} as whose, labels, change from queue_changes) each
    group by whose, labels having sum(change) > 0),
  waiting as (
    select labels, sum(runs)::int as runs, reason from asked, wait_reason(whose, labels) as reason
    where reason in ('no_worker', 'no_fit_worker') and may_serve(null, whose) group by labels, reason)
  select labels, runs, reason from waiting
  where (
    select h.queued_at from run_heads h where h.status = 'queued' and h.labels = waiting.labels
    order by h.labels, h.queued_at limit 1) < now() - $1 * interval '1 millisecond'
  order by labels, reason`,
}

export function describeUnserved({ labels, runs, reason }: Unserved): string {
  const which = labels.length ? `worker with the labels ${labels.join(', ')}` : 'worker'
  return `${runs} queued ${runs === 1 ? 'run waits' : 'runs wait'} for a ${which}, and none ${reason === 'no_worker' ? 'is alive' : 'that is alive is fit'}.`
}
