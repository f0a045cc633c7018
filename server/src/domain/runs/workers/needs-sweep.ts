import type pg from 'pg'
import { limits } from '#base/limits.ts'
import { deadWorkers } from './living.ts'

export type Swept = {
  /** Whether there is something to sweep. */
  needsSweep: boolean
  /** Whether jobs have come due that nobody was told of. */
  hasDueJobs: boolean
  /** No run is held or queued, so nobody waits for what the next look finds. */
  isQuiet: boolean
}

/** Looks whether a sweep would find something. It costs the number of workers, and nothing for what is queued or at work. */
export async function needsSweep(db: Pick<pg.ClientBase, 'query'>, { sinceMs }: { sinceMs: number }): Promise<Swept> {
  const { rows } = await db.query<Swept>({ ...look, values: [limits.buriedMs, sinceMs] })
  return rows[0]!
}

const look = {
  name: 'needs-sweep',
  text: `
  with dead as materialized (select id, alive_until, draining from workers where id in (${deadWorkers}))
  select
    exists (select from dead d where d.alive_until > statement_timestamp() or d.alive_until < statement_timestamp() - $1 * interval '1 millisecond'
      or not d.draining and not exists (select from lost_workers l where l.worker_id = d.id)
      or exists (select from run_heads h where h.worker_id = d.id)
      or exists (select from jobs j where j.worker_id = d.id and j.claimed_until is not null))
    or exists (select from run_heads where status = 'queued' and not is_due and not_before <= statement_timestamp())
    or exists (select from run_heads where run_wait is not null and status = 'queued' and not is_due) as "needsSweep",
    exists (select from jobs where due_at <= statement_timestamp() and due_at > statement_timestamp() - $2 * interval '1 millisecond' and claimed_until is null) as "hasDueJobs",
    not exists (select from run_heads where worker_id is not null) and not exists (select from run_heads where status = 'queued') as "isQuiet"`,
}
