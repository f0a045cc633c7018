import { rows, type Db } from '#db/pool.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

/** Lets the runs go on that wait for others which have all ended, or to which somebody has written meanwhile. */
export async function wakeWaitingRuns(db: Db): Promise<void> {
  const woken = await rows(db, wake)
  if (woken.length) await wakeWorkers(db, { queued: true })
}

const wake = {
  name: 'wake-waiting-runs',
  text: `
  with due as (
    select h.organization_id, h.run_id from run_heads h
    where h.run_wait is not null and h.status = 'queued' and h.status_detail = 'waiting_for_runs' and h.not_before > now()
      and (not exists (select from run_heads c where c.organization_id = h.organization_id
            and c.run_id in (select id::bigint from jsonb_array_elements_text(h.run_wait->'runIds') id)
            and c.status not in ('completed', 'failed', 'cancelled'))
        or exists (select from messages m where m.organization_id = h.organization_id and m.run_id = h.run_id
            and m.taken_seq is null and m.turn is null))
    for update of h skip locked)
  update run_heads h set not_before = now(), status_detail = 'capacity', revision = revision + 1, updated_at = now()
  from due where h.organization_id = due.organization_id and h.run_id = due.run_id returning 1`,
}
