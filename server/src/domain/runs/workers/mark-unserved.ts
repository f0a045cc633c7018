import type { Db } from '#db/pool.ts'
import { waitsApart, whose } from './waits-apart.ts'

/** So many are changed by one statement, which has to end in time. */
const markedMax = 1_000

/** Keeps true what queued runs say of why they wait, as workers come and go. Answers how many it changed. */
export async function markUnserved(db: Db): Promise<number> {
  let changed = 0
  for (;;) {
    const { rowCount } = await db.query(mark, [markedMax])
    changed += rowCount ?? 0
    if (rowCount !== markedMax) return changed
  }
}

/** Of runs, only those of an organization and a set of labels of which some say what is not true are read. */
export const mark = `
  with ${waitsApart},
  asked as materialized (
    select organization_id, ${whose} as whose, labels, status_detail from queue_changes
    where status_detail in ('capacity', 'no_worker', 'no_own_worker', 'no_fit_worker', 'handed_over')
    group by organization_id, labels, status_detail having sum(change) > 0),
  reasons as materialized (select whose, labels, wait_reason(whose, labels) as reason from asked group by whose, labels),
  wrong as materialized (
    select organization_id, labels, status_detail, reason from asked join reasons using (whose, labels)
    where status_detail <> reason and (status_detail <> 'handed_over' or reason <> 'capacity')),
  found as (
    select h.organization_id, h.run_id, w.reason from wrong w, lateral (
      select organization_id, run_id from run_heads
      where status = 'queued' and organization_id = w.organization_id and labels = w.labels and status_detail = w.status_detail
      limit $1 for update skip locked) h
    limit $1)
  update run_heads h set status_detail = found.reason, revision = revision + 1, updated_at = now()
  from found where h.organization_id = found.organization_id and h.run_id = found.run_id`
