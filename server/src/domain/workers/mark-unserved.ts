import type { Db } from '#db/pool.ts'

/** Keeps true what queued runs say of why they wait, as workers come and go. Answers how many it changed. */
export async function markUnserved(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `with wrong as (
       select organization_id, run_id, wait_reason(labels) as reason from run_heads
       where status = 'queued' and status_detail in ('capacity', 'no_worker') and status_detail <> wait_reason(labels)
       for update skip locked)
     update run_heads h set status_detail = wrong.reason, revision = revision + 1, updated_at = now()
     from wrong where h.organization_id = wrong.organization_id and h.run_id = wrong.run_id`,
  )
  return rowCount ?? 0
}
