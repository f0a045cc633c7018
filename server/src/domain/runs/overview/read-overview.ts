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
  /** Workers that live and take runs, and how many more runs those could take that take them of all organizations. */
  workers: number
  freeSlots: number
  /** Of workers that live and take none: how many have which fault. */
  unfit: { fault: NodeFault; workers: number }[]
  /** Queued for too long, though their organization has a slot free, a worker with their labels too, and nobody takes any run. */
  untaken: number
  /** At work by their status, though their worker's lease ended a while ago and nobody has queued them again. */
  orphaned: number
  /** By the labels that runs ask for, the most wanted first; without what the workers of single organizations are for. */
  demand: Demand[]
}

/** Of the runs that ask for one set of labels. `wanted` are the slots that they would take now: the used ones, and one for each
 *  queued run that is due, as far as its organization has slots free. */
export type Demand = { labels: string[]; queued: number; wanted: number; used: number }

export async function readOverview(db: Db): Promise<Overview> {
  return one<Overview>(db, overview, [limits.untakenMs, limits.orphanedMs])
}

/**
 * It costs the runs at work, those that wait for people, and of the queue the organizations and their sets of labels,
 * however many runs each has queued. Of one set, those that could be taken are all that are due, if the next of them waits for too long.
 */
export const overview = {
  name: 'read-overview',
  text: `
  with living as (
    select w.labels, w.organization_id, w.slots - (select count(*) from run_heads h where h.worker_id = w.id)::int as free
    from workers w where w.alive_until > now() and not w.draining and w.unfit = '{}'),
  unfit as (
    select fault, count(*)::int as workers from workers w, unnest(w.unfit) as fault
    where w.alive_until > now() and not w.draining group by fault),
  queue as materialized (
    select organization_id, labels, sum(change) as queued, coalesce(sum(change) filter (where is_due), 0) as due
    from queue_changes group by organization_id, labels having sum(change) > 0),
  asked as (select distinct labels from queue),
  claimed as (select now() - max(served_at) as ago from run_slots),
  untaken as (
    select q.due from queue q join run_slots s on s.organization_id = q.organization_id and not s.own_workers_only
    where coalesce((select ago from claimed) > $1 * interval '1 millisecond', true) and s.is_open
      and exists (select from living l where l.free > 0 and q.labels <@ l.labels and l.organization_id is null)
      and exists (select from unnest('{false,true}'::boolean[]) as is_suspect, lateral (
        select greatest(h.queued_at, h.not_before) as waits_from from run_heads h
        where h.organization_id = q.organization_id and h.labels = q.labels and (h.claims >= 2) = is_suspect and h.status = 'queued' and h.is_due
        order by h.organization_id, h.labels, (h.claims >= 2), h.priority desc, h.run_id limit 1) next
        where next.waits_from < now() - $1 * interval '1 millisecond')),
  held as (
    select count(*)::int as held,
      (count(*) filter (where w.id is null or w.alive_until < now() - $2 * interval '1 millisecond'))::int as orphaned
    from run_heads h left join workers w on w.id = h.worker_id where h.worker_id is not null),
  demand as (
    select labels, sum(queued)::int as queued, sum(wanted)::int as wanted, sum(used)::int as used from (
      select q.labels, q.queued, least(q.due, greatest(s.max_running - s.running, 0)) as wanted, 0 as used
      from queue q join run_slots s on s.organization_id = q.organization_id and not s.own_workers_only
      union all select h.labels, 0, count(*), count(*) from run_heads h left join workers w on w.id = h.worker_id
      where h.worker_id is not null and w.organization_id is null group by h.labels) each
    group by labels),
  resting as (
    select (count(*) filter (where status = 'waiting_for_user'))::int as waiting, (count(*) filter (where status = 'paused'))::int as paused
    from run_heads where status in ('waiting_for_user', 'paused'))
  select (select coalesce(sum(queued), 0)::int from queue) as queued, held as "inProgress", waiting as "waitingForUser", paused,
    (select coalesce(greatest(extract(epoch from now() - min(oldest)), 0), 0)::float8 from asked a, lateral (
      select h.queued_at as oldest from run_heads h where h.status = 'queued' and h.labels = a.labels
      order by h.labels, h.queued_at limit 1) h) as "oldestQueuedSeconds",
    (select count(*)::int from living) as workers, (select coalesce(sum(free) filter (where free > 0), 0)::int from living where organization_id is null) as "freeSlots",
    (select coalesce(json_agg(unfit order by fault), '[]') from unfit) as unfit,
    (select coalesce(sum(due), 0)::int from untaken) as untaken, orphaned,
    (select coalesce(json_agg(demand order by wanted desc, labels), '[]') from demand) as demand
  from held, resting`,
}
