import { randomUUID } from 'node:crypto'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from './run.ts'

/** A claim on a run: while its lease is the head's, and only then, this worker may write. */
export type Claim = RunIds & { turn: number; leaseId: string; claims: number }

/**
 * Takes the next queued run, if there is one: of the organization that was served longest ago and has a slot free, its
 * most urgent, then its oldest. The slot's row lock keeps the organization's limit exact without a global lock.
 */
export async function claimRun(db: Db, { workerId }: { workerId: number }): Promise<Claim | undefined> {
  return maybeOne<Claim>(db, claim, [workerId, randomUUID()])
}

const claim = {
  name: 'claim-run',
  text: `
  with organization as (
    select s.organization_id from run_slots s
    where s.running < s.max_running
      and exists (select from run_heads h where h.organization_id = s.organization_id and h.status = 'queued' and h.not_before <= now())
    order by s.served_at limit 1 for update of s skip locked),
  pick as (
    select h.organization_id, h.run_id from organization o cross join lateral (
      select organization_id, run_id from run_heads q
      where q.organization_id = o.organization_id and q.status = 'queued' and q.not_before <= now()
      order by q.priority desc, q.run_id limit 1 for update skip locked) h),
  took as (
    update run_heads h set status = 'in_progress', status_detail = 'preparing', worker_id = $1, lease_id = $2, claims = claims + 1,
      turn_started_at = coalesce(turn_started_at, now()), revision = revision + 1, updated_at = now()
    from pick p where h.organization_id = p.organization_id and h.run_id = p.run_id
    returning h.organization_id, h.run_id, h.turn, h.lease_id, h.claims),
  slot as (
    update run_slots s set running = running + 1, served_at = clock_timestamp() from took t where s.organization_id = t.organization_id),
  begun as (
    update runs r set started_at = coalesce(r.started_at, now()) from took t where r.organization_id = t.organization_id and r.id = t.run_id)
  select organization_id as "organizationId", run_id as "runId", turn, lease_id as "leaseId", claims from took`,
}
