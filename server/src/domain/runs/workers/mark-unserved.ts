import type { Db } from '#db/pool.ts'

/** Keeps true what queued runs say of why they wait, as workers come and go. Answers how many it changed. */
export async function markUnserved(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `with waiting as materialized (
       select labels, wait_reason(labels) as reason from (select distinct labels from run_heads where status = 'queued') asked),
     wrong as (
       select h.organization_id, h.run_id, w.reason from run_heads h join waiting w on w.labels = h.labels
       where h.status = 'queued' and h.status_detail <> w.reason and (h.status_detail in ('capacity', 'no_worker', 'no_fit_worker')
         or h.status_detail = 'handed_over' and w.reason <> 'capacity')
       for update of h skip locked)
     update run_heads h set status_detail = wrong.reason, revision = revision + 1, updated_at = now()
     from wrong where h.organization_id = wrong.organization_id and h.run_id = wrong.run_id`,
  )
  return rowCount ?? 0
}
