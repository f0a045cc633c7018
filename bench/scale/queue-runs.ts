import type pg from 'pg'
import { rows } from '../../server/src/db/pool.ts'
import { createOrganization } from '../../server/src/domain/accounts/organizations/create-organization.ts'
import { forgetQueuedLabels } from '../../server/src/domain/runs/runs/forget-queued-labels.ts'
import { sumQueueChanges } from '../../server/src/domain/runs/runs/sum-queue-changes.ts'

export type QueueRuns = {
  organizations: number
  /** Of all of them together. */
  runs: number
  labels?: string[]
  /** They wait for a time that is far away. */
  isLate?: boolean
  /** As many as it may have are at work already. */
  isFull?: boolean
}

/** Queues runs of organizations that are made for it, as many of each. */
export async function queueRuns(pool: pg.Pool, options: QueueRuns): Promise<void> {
  const { organizations, runs, labels = [], isLate = false, isFull = false } = options
  const [user] = await rows<{ id: number }>(
    pool,
    `insert into users (email, full_name) values (gen_random_uuid() || '@example.com', 'Ada') returning id`,
  )
  const ids: number[] = []
  for (let n = 0; n < organizations; n++)
    ids.push((await createOrganization(pool, { name: `o${n}-${Math.random()}`, userId: user!.id })).id)
  await pool.query('update run_slots set max_running = 1000 where organization_id = any($1)', [ids])
  await pool.query(
    `with made as (
       insert into runs (organization_id, user_id, source_type, agent_type, prompt, timeout_minutes, create_pull_request)
       select ($1::bigint[])[n % $2 + 1], $3, 'API', 'scripted', 'Do nothing', 60, false from generate_series(0, $4 - 1) as n
       returning organization_id, id)
     insert into run_heads (organization_id, run_id, status_detail, labels, not_before)
     select organization_id, id, 'capacity', $5, now() + case when $6 then interval '1 day' else interval '0' end from made`,
    [ids, organizations, user!.id, runs, labels, isLate],
  )
  if (isFull) await pool.query('update run_slots set running = max_running where organization_id = any($1)', [ids])
}

/** Nothing is queued or at work any more. */
export async function emptyQueue(pool: pg.Pool): Promise<void> {
  await pool.query(`update run_heads set status = 'cancelled' where status = 'queued'`)
  await pool.query('update run_slots set running = 0')
  await forgetQueuedLabels(pool)
  await sumQueueChanges(pool)
  await pool.query('vacuum analyze run_heads, run_slots, queue_changes')
}
