import { limits } from '#base/limits.ts'
import { one, type Db } from '#db/pool.ts'
import type { NodeFault } from '#domain/runs/workers/node-fault.ts'

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
  /** Of workers that live and take none: how many have which fault. */
  unfit: { fault: NodeFault; workers: number }[]
  /** Queued for too long, though their organization has a slot free, a worker with their labels too, and nobody takes any run. */
  untaken: number
  /** At work by their status, though their worker's lease ended a while ago and nobody has queued them again. */
  orphaned: number
}

export async function readOverview(db: Db): Promise<Overview> {
  const { claimable, claimedMs, ...counted } = await one<
    Omit<Overview, 'untaken'> & { claimable: number; claimedMs: number | null }
  >(db, statement, [limits.untakenMs, limits.orphanedMs])
  const isIdle = claimedMs === null || claimedMs > limits.untakenMs
  return { ...counted, untaken: isIdle ? claimable : 0 }
}

/** One pass over the queue, one over the runs at work; what has ended is not looked at. */
const statement = {
  name: 'read-overview',
  text: `
  with living as (
    select w.labels, w.slots - (select count(*) from run_heads h where h.worker_id = w.id)::int as free
    from workers w where w.alive_until > now() and not w.draining and w.unfit = '{}'),
  unfit as (
    select fault, count(*)::int as workers from workers w, unnest(w.unfit) as fault
    where w.alive_until > now() and not w.draining group by fault),
  waiting as (
    select h.labels, count(*)::int as queued, min(h.queued_at) as oldest, (count(*) filter (where s.running < s.max_running
        and greatest(h.queued_at, h.not_before) < now() - $1 * interval '1 millisecond'))::int as claimable
    from run_heads h join run_slots s on s.organization_id = h.organization_id where h.status = 'queued' group by h.labels),
  held as (
    select count(*)::int as held,
      (count(*) filter (where w.id is null or w.alive_until < now() - $2 * interval '1 millisecond'))::int as orphaned
    from run_heads h left join workers w on w.id = h.worker_id where h.worker_id is not null),
  resting as (
    select (count(*) filter (where status = 'waiting_for_user'))::int as waiting, (count(*) filter (where status = 'paused'))::int as paused
    from run_heads where status in ('waiting_for_user', 'paused'))
  select (select coalesce(sum(queued), 0)::int from waiting) as queued, held as "inProgress", waiting as "waitingForUser", paused,
    (select coalesce(greatest(extract(epoch from now() - min(oldest)), 0), 0)::float8 from waiting) as "oldestQueuedSeconds",
    (select count(*)::int from living) as workers, (select coalesce(sum(free) filter (where free > 0), 0)::int from living) as "freeSlots",
    (select coalesce(sum(claimable), 0)::int from waiting w
      where exists (select from living l where l.free > 0 and w.labels <@ l.labels)) as claimable,
    (select coalesce(json_agg(unfit order by fault), '[]') from unfit) as unfit,
    orphaned, (select extract(epoch from now() - max(served_at))::float8 * 1000 from run_slots) as "claimedMs"
  from held, resting`,
}
