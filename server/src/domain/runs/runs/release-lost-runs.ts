import { limits } from '#base/limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { wakeChannel } from '#domain/accounts/organizations/wake-workers.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { lastSign } from './release-run.ts'

export type LostRun = RunIds & { leaseId: string; isLost: boolean }

/**
 * Queues runs of lost workers again in one statement, those that go on as they were: nobody has asked them to stop or pause, no question of theirs
 * is open, and they have not lost too many workers. Answers which; the others are for `releaseRun`, also those whose row somebody holds.
 */
export async function releaseLostRuns(db: Db, runs: LostRun[]): Promise<Set<number>> {
  const column = <Key extends keyof LostRun>(key: Key) => runs.map((run) => run[key])
  const released = await rows<{ runId: number }>(db, release, [
    column('organizationId'),
    column('runId'),
    column('leaseId'),
    column('isLost'),
    limits.claimsWithoutProgressMax,
    limits.leaseMs,
    wakeChannel,
  ])
  return new Set(released.map(({ runId }) => runId))
}

const release = `
  with lost as (
    select h.organization_id, h.run_id, l.is_lost from run_heads h
    join unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::boolean[]) as l (organization_id, run_id, lease_id, is_lost)
      on h.organization_id = l.organization_id and h.run_id = l.run_id and h.lease_id = l.lease_id
    where h.wanted is null and h.claims < $5 and not exists (
      select from questions q where q.organization_id = h.organization_id and q.run_id = h.run_id and q.turn = h.turn and q.answered_at is null)
    for update of h skip locked),
  released as (
    update run_heads set status = 'queued', status_detail = 'handed_over', worker_id = null, lease_id = null, priority = greatest(priority, 1),
      claims = claims - case when l.is_lost then 0 else 1 end, held_at = null, not_before = now(),
      lost_at = case when l.is_lost then ${lastSign('$6')} end, revision = revision + 1, updated_at = now()
    from lost l where run_heads.organization_id = l.organization_id and run_heads.run_id = l.run_id
    returning run_heads.organization_id, run_heads.run_id),
  slots as (
    update run_slots s set running = running - r.count
    from (select organization_id, count(*)::int as count from released group by organization_id) r
    where s.organization_id = r.organization_id)
  select run_id, pg_notify($7, '{"queued":true}') from released`
