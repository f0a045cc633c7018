import { one, rows, type Db } from '#db/pool.ts'

/** How much of what there is, never what it holds. */
export async function countWork(db: Db) {
  return {
    runs: await rows<{ status: string; count: number; oldestSeconds: number | null }>(
      db,
      `select status, count(*) as count, extract(epoch from now() - min(queued_at))::float8 as "oldestSeconds" from run_heads group by status order by status`,
    ),
    jobs: await rows<{
      kind: string
      count: number
      due: number
      held: number
      gaveUp: number
      oldestSeconds: number | null
    }>(db, jobs),
    workers: await rows<{
      version: string
      isAlive: boolean
      draining: boolean
      count: number
      slots: number
      unfit: string[] | null
    }>(db, workers),
    integrations: await rows<{ kind: string; active: boolean; isHalted: boolean; hasProblem: boolean; count: number }>(
      db,
      `select kind, active, halted is not null as "isHalted", problem is not null as "hasProblem", count(*) as count
       from integrations group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    ),
    totals: await one<{
      organizations: number
      users: number
      repos: number
      deletions: number
      blobs: number
      blobBytes: number
    }>(db, totals),
  }
}

/** Of work beside runs: how much is due and since when, is held, or was given up. */
const jobs = `select kind, count(*) as count, count(*) filter (where due_at <= now()) as due, count(*) filter (where claimed_until > now()) as held,
    count(*) filter (where gave_up_at is not null) as "gaveUp",
    extract(epoch from now() - min(due_at) filter (where due_at <= now()))::float8 as "oldestSeconds"
  from jobs group by kind order by kind`

const workers = `select version, alive_until > now() as "isAlive", draining, count(*) as count, sum(slots)::int as slots,
    array(select distinct f from workers u, unnest(u.unfit) f where u.version = w.version order by f) as unfit
  from workers w group by version, 2, draining order by version, 2, draining`

const totals = `select (select count(*) from organizations) as organizations, (select count(*) from users) as users, (select count(*) from repos) as repos,
    (select count(*) from deletions) as deletions, (select count(*) from blobs) as blobs,
    (select coalesce(sum(bytes), 0)::float8 from blobs) as "blobBytes"`
