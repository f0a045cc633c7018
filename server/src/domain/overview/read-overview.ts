import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'

/** How the whole service stands: the same from whichever process looks. */
export type Overview = {
  queued: number
  inProgress: number
  waitingForUser: number
  paused: number
  /** Of the run that waits for the longest; 0 when none waits. */
  oldestQueuedSeconds: number
  /** Workers that live and take runs, and how many more runs they could take. */
  workers: number
  freeSlots: number
  /** Queued for too long, though their organization has a slot free, a worker too, and nobody takes any run. */
  untaken: number
  /** At work by their status, though their worker's lease ended a while ago and nobody has queued them again. */
  orphaned: number
}

export async function readOverview(db: Db): Promise<Overview> {
  const { freeSlots, claimable, claimedMs, ...counted } = await one<
    Omit<Overview, 'untaken'> & { claimable: number; claimedMs: number | null }
  >(db, statement, [limits.untakenMs, limits.orphanedMs])
  const isIdle = claimedMs === null || claimedMs > limits.untakenMs
  return { ...counted, freeSlots, untaken: freeSlots > 0 && isIdle ? claimable : 0 }
}

/** One pass over the queue, one over the runs at work; what has ended is not looked at. */
const statement = {
  name: 'read-overview',
  text: `
  with living as (
    select count(*)::int as workers, coalesce(sum(w.slots - (select count(*) from run_heads h where h.worker_id = w.id)), 0)::int as free
    from workers w where w.alive_until > now() and not w.draining),
  waiting as (
    select count(*)::int as queued, extract(epoch from now() - min(h.queued_at))::float8 as oldest,
      (count(*) filter (where s.running < s.max_running
        and greatest(h.queued_at, h.not_before) < now() - $1 * interval '1 millisecond'))::int as claimable
    from run_heads h join run_slots s on s.organization_id = h.organization_id where h.status = 'queued'),
  held as (
    select count(*)::int as held,
      (count(*) filter (where w.id is null or w.alive_until < now() - $2 * interval '1 millisecond'))::int as orphaned
    from run_heads h left join workers w on w.id = h.worker_id where h.worker_id is not null),
  resting as (
    select (count(*) filter (where status = 'waiting_for_user'))::int as waiting, (count(*) filter (where status = 'paused'))::int as paused
    from run_heads where status in ('waiting_for_user', 'paused'))
  select queued, held as "inProgress", waiting as "waitingForUser", paused, greatest(coalesce(oldest, 0), 0) as "oldestQueuedSeconds",
    workers, greatest(free, 0) as "freeSlots", claimable, orphaned,
    (select extract(epoch from now() - max(served_at))::float8 * 1000 from run_slots) as "claimedMs"
  from living, waiting, held, resting`,
}
