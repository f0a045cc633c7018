import { rows, type Db } from '#db/pool.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

/** Puts runs into the queue whose time has come, such as to try their code host again. */
export async function queueDueRuns(db: Db): Promise<void> {
  const due = await rows(db, queue)
  if (due.length) await wakeWorkers(db, { queued: true })
}

const queue = {
  name: 'queue-due-runs',
  text: `
  with due as (
    select organization_id, run_id from run_heads where status = 'queued' and not is_due and not_before <= now()
    order by not_before limit 1000 for update skip locked)
  update run_heads h set is_due = true from due where h.organization_id = due.organization_id and h.run_id = due.run_id returning 1`,
}
