import type { EnforcementReport } from '#base/enforcement.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ClaimedJob, JobKind } from './job.ts'

export type ClaimJobs = {
  /** How many of each kind the worker has room for. */
  room: Partial<Record<JobKind, number>>
  workerId: number | null
  /** Whose jobs alone the worker takes; null: those of all organizations, but no checks of one that wants its own workers for them. */
  organizationId: number | null
  /** Jobs that are left to other workers. */
  except?: readonly number[]
  /** What a repository may ask of the worker that takes its checks. */
  labels: readonly string[]
  enforcement: EnforcementReport
}

/** Any number that nothing else locks. */
const lockId = 727_027

/**
 * Takes jobs that are due and that nobody else has: of each kind first those of organizations with the fewest at work, and of
 * each key the first, unless another one of that key is at work. Jobs of a worker that was lost are taken again.
 */
export async function claimJobs(
  db: Db,
  { room, workerId, organizationId, except = [], ...worker }: ClaimJobs,
): Promise<ClaimedJob[]> {
  const kinds = Object.entries(room).filter(([, count]) => count > 0)
  if (!kinds.length) return []
  return inTransaction(db, async (tx) => {
    // Claims are made one after the other: two at once could take two jobs of one key, of which one came to light late.
    await tx.query('select pg_advisory_xact_lock($1)', [lockId])
    return rows<ClaimedJob>(tx, claim, [
      kinds.map(([kind]) => kind),
      kinds.map(([, count]) => count),
      except,
      workerId,
      hostLimits.jobClaimMs,
      worker.labels,
      JSON.stringify(worker.enforcement),
      organizationId,
    ])
  })
}

// Planned each time, as a plan that was made while few jobs waited reads all of them for each of many. The organizations of a
// kind are found one by one in an index, so that one with many jobs costs no more than one with few.
const claim = `
  with recursive wanted as (select kind, room from unnest($1::text[], $2::int[]) as t (kind, room)),
  asked as (
    select kind, room, (select min(j.organization_id) from jobs j
      where j.kind = w.kind and j.due_at is not null and ($8::bigint is null or j.organization_id = $8)) as organization_id
    from wanted w
    union all
    select kind, room, (select min(j.organization_id) from jobs j
      where j.kind = a.kind and j.due_at is not null and j.organization_id > a.organization_id)
    from asked a where a.organization_id is not null and $8 is null),
  candidates as (
    select a.kind, a.room, next.*, row_number() over (partition by a.kind, a.organization_id order by next.due_at, next.id)
      + (select count(*) from jobs b where b.kind = a.kind and b.organization_id = a.organization_id and b.claimed_until > now()) as turn
    from asked a cross join lateral (
      select organization_id, id, due_at from jobs j
      where j.kind = a.kind and j.organization_id = a.organization_id and j.due_at <= now()
        and (j.claimed_until is null or j.claimed_until <= now()) and j.id <> all($3::bigint[])
        and j.id = (select min(o.id) from jobs o
          where o.organization_id = j.organization_id and o.kind = j.kind and o.key = j.key and o.gave_up_at is null)
        and not exists (select from jobs o where o.kind = a.kind and o.organization_id = a.organization_id and o.key = j.key
          and o.claimed_until > now())
        and (j.kind <> 'check' or exists (
          select from checks c join organizations o on o.id = c.organization_id
          where c.organization_id = j.organization_id and c.id = j.ref::bigint
            and may_serve($8, c.organization_id) and labels_wanted(c.organization_id, c.repo_id) <@ $6::text[] and holds_walls(o.settings->'sandbox_require', $7::jsonb)))
      order by due_at, id limit a.room) next),
  placed as (select *, row_number() over (partition by kind order by turn, due_at, id) as place from candidates),
  next as (
    select j.organization_id, j.id from jobs j join placed p on p.organization_id = j.organization_id and p.id = j.id and p.place <= p.room
    for update of j skip locked)
  update jobs j set claim_id = gen_random_uuid(), worker_id = $4, claimed_until = now() + $5 * interval '1 millisecond', tries = tries + 1
  from next where j.organization_id = next.organization_id and j.id = next.id
  returning j.organization_id, j.id, j.kind, j.ref, j.claim_id, j.requests, j.tries`
