import { randomUUID } from 'node:crypto'
import type { ClaimedTurn } from '#base/telemetry/telemetry.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'

/** A claim on a run: while its lease is the head's, and only then, this worker may write. */
export type Claim = ClaimedTurn

export type ClaimRun = {
  workerId: number
  /** Whose runs alone the worker may take; null: those of all organizations. */
  organizationId?: number | null
  /** Runs that could not be claimed a moment ago; the others must not wait for them. */
  except?: readonly number[]
}

/**
 * Takes the next queued run that asks for no label that this worker has not: of the organization that was served longest
 * ago and has a slot free, its most urgent, then its oldest. A worker of one organization takes from that one alone, which
 * costs the organization none of its turns with the others. The slot's row lock keeps the organization's limit exact
 * without a global lock. A worker whose lease has ended gets none. Of the runs that were lost with their worker
 * twice, it takes one at a time: the one that ends workers does not take the others with it a third time.
 *
 * It does not wait for the disk: should PostgreSQL lose it, then with all that was done under it, and the run is queued.
 */
export async function claimRun(
  db: Db,
  { workerId, organizationId = null, except = [] }: ClaimRun,
): Promise<Claim | undefined> {
  return maybeOne<Claim>(db, organizationId === null ? claim : ownClaim, [workerId, except, randomUUID()])
}

/** The run that `claimRun` would take now. */
export async function findNextRun(
  db: Db,
  { workerId, organizationId = null, except = [] }: ClaimRun,
): Promise<RunIds | undefined> {
  const next = nextOf(organizationId === null ? inTurns : own)
  return maybeOne<RunIds>(db, `with ${next} select organization_id, run_id from pick`, [workerId, except])
}

/**
 * Runs `h` that a worker `w` may take now, of one set of labels and either lost twice or not; in the order of `run_heads_ready`
 * the first of them costs the same to find however many wait.
 */
const isNext = `h.organization_id = s.organization_id and h.labels = q.labels::text[] and (h.claims >= 2) = q.is_suspect
  and h.status = 'queued' and h.is_due and h.not_before <= now() and h.run_id <> all($2::bigint[])`

/** The order of the index, with what is the same in all of them: without it, they are read and sorted. */
const inTurn = 'h.organization_id, h.labels, (h.claims >= 2), h.priority desc, h.run_id'

/** What to look for in the queue of the organization `s`: see `forget_queued_labels` on what it names that is not there. */
const queues = `(
  select labels, is_suspect from unnest(s.queued_labels) labels, unnest('{false,true}'::boolean[]) is_suspect
  where labels::text[] <@ w.labels and not (is_suspect and w.holds_suspect)) q`

const hasNext = `exists (select from ${queues}, lateral (select from run_heads h where ${isNext} order by ${inTurn} limit 1) h)`

/** Where a worker `w` looks for an organization. What its row says decides, whichever of these is asked. */
const inTurns = `from run_slots s, worker w
  where w.organization_id is null and s.is_open and s.queued_labels <> '{}' and not s.own_workers_only and ${hasNext}
  order by s.served_at limit 1`
const own = `from run_slots s, worker w
  where s.organization_id = (select organization_id from worker) and s.is_open and s.queued_labels <> '{}' and ${hasNext}`

const nextOf = (which: string) => `
  worker as (
    select organization_id, labels, exists (select from run_heads s where s.worker_id = $1 and s.claims > 2) as holds_suspect
    from workers where id = $1 and alive_until > now() and not draining),
  organization as (
    select s.organization_id, s.queued_labels ${which} for no key update of s skip locked),
  pick as (
    select n.* from organization s, worker w, lateral ${queues}, lateral (
      select organization_id, run_id, priority, greatest(queued_at, not_before) as waits_from, lost_at from run_heads h
      where ${isNext} order by ${inTurn} limit 1 for update skip locked) n
    order by n.priority desc, n.run_id limit 1)`

const claimOf = (which: string, served: string) => `
  with ${nextOf(which)},
  took as (
    update run_heads h set status = 'in_progress', status_detail = 'preparing', worker_id = $1, lease_id = $3, claims = claims + 1,
      turn_started_at = coalesce(turn_started_at + (now() - coalesce(held_at, now())), now()), held_at = null, lost_at = null, revision = revision + 1, updated_at = now()
    from pick p where h.organization_id = p.organization_id and h.run_id = p.run_id
    returning h.organization_id, h.run_id, h.turn, h.lease_id, h.worker_id, h.claims,
      json_build_object('entries', h.next_seq - 1, 'bytes', h.log_bytes) as log,
      extract(epoch from clock_timestamp() - p.waits_from)::float8 as pickup, extract(epoch from clock_timestamp() - p.lost_at)::float8 as takeover),
  slot as (
    update run_slots s set running = running + 1, served_at = ${served} where s.organization_id = (select organization_id from took)),
  begun as (
    update runs r set started_at = coalesce(r.started_at, now()) from took t where r.organization_id = t.organization_id and r.id = t.run_id
    returning r.agent_type, r.traceparent, r.created_at)
  select organization_id, run_id, turn, lease_id, worker_id, claims, log,
    agent_type, traceparent, created_at, greatest(pickup, 0) as "pickupSeconds", takeover as "takeoverSeconds",
    set_config('synchronous_commit', 'off', true)
  from took, begun`

export const claim = { name: 'claim-run', text: claimOf(inTurns, 'clock_timestamp()') }
export const ownClaim = { name: 'claim-run-of-one', text: claimOf(own, 's.served_at') }
