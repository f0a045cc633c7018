// How long a run waits for its worker: from the commit that made it to the commit that claimed it, by the database's clock,
// against two bare programs over the same database.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { startService } from '../start-service.ts'
import { middle } from '../percentile.ts'
import { startLineProcess } from './line-process.ts'
import type { BenchQueue } from '../queue.ts'

const rounds = 7
const pickups = 40
/** Between two pickups, so that all have come to rest. */
const pauseMs = 25

/** Makes this many, one after the other, and answers how long each waited. */
type Side = (count: number) => Promise<number[]>
export type Pickup = { ours: number; control: number; ratio: number }

/** Medians of each round of both, and of the pairs' ratios. */
export async function benchPickup(options: BenchQueue): Promise<Pickup> {
  const [control, ours] = [await startBare(options), await startOurs(options)]
  const pairs: Pickup[] = []
  // The first round is for plans and compilers to warm up.
  for (let round = -1; round < rounds; round++) {
    const pair = { control: middle(await control(pickups)), ours: middle(await ours(pickups)) }
    if (round >= 0) pairs.push({ ...pair, ratio: pair.ours / pair.control })
  }
  return pairs.sort((one, other) => one.ratio - other.ratio)[pairs.length >> 1]!
}

async function startBare({ pool, databaseUrl, defer }: BenchQueue): Promise<Side> {
  await pool.query(`create table bare_jobs (id bigint generated always as identity primary key, body jsonb not null,
    status text not null default 'queued', created_at timestamptz not null default now(), claimed_at timestamptz)`)
  await pool.query(`create index on bare_jobs (id) where status = 'queued'`)
  const claimer = startLineProcess({
    program: path.join(import.meta.dirname, 'bare-claimer.ts'),
    given: [databaseUrl],
    defer,
  })
  await claimer.read()
  const insert = {
    name: 'bare-insert',
    text: `with job as (insert into bare_jobs (body) values ($1) returning id)
      select id, pg_current_xact_id()::xid::text as made, pg_notify('bare_jobs', '') from job`,
    values: [JSON.stringify({ prompt: 'Count' })],
  }
  return async (count) => {
    const waits: number[] = []
    for (let n = 0; n < count; n++) {
      const made = (await pool.query<{ id: number; made: string }>(insert)).rows[0]!
      await claimer.read((line) => line === String(made.id))
      const { rows } = await pool.query<{ ms: number }>(
        `select ${msBetween('$2::text::xid', 'xmin')} as ms from bare_jobs where id = $1`,
        [made.id, made.made],
      )
      waits.push(rows[0]!.ms)
      await sleep(pauseMs)
    }
    return waits
  }
}

async function startOurs({ pool, databaseUrl, defer }: BenchQueue): Promise<Side> {
  const service = await startService({ databaseUrl, role: 'api', defer })
  await service.startWorker()
  const route = `/v1/organizations/${service.organizationId}/agent/run`
  const run = { prompt: 'Count', agent_type: 'scripted', metadata: { script: [{ answer: 'ok' }] } }
  return async (count) => {
    const ids: number[] = []
    for (let n = 0; n < count; n++) {
      const { id } = await service.call<{ id: number }>('POST', route, run)
      ids.push(id)
      // Looking at it at once would slow what is measured.
      await sleep(pauseMs)
      await service.untilEnded(id)
    }
    return readWaits(pool, ids)
  }
}

/** The outbox has a row of each transaction that moved a run. */
async function readWaits(pool: pg.Pool, ids: number[]): Promise<number[]> {
  const { rows } = await pool.query<{ ms: number }>(
    `select ${msBetween('made.xmin', 'claimed.xmin')} as ms from events made join events claimed using (organization_id, run_id)
     where run_id = any($1) and made.kind = 'run.created' and claimed.data->>'status' = 'in_progress'`,
    [ids],
  )
  if (rows.length !== ids.length) throw new Error(`${ids.length} runs were claimed ${rows.length} times`)
  return rows.map(({ ms }) => ms)
}

const msBetween = (from: string, to: string) =>
  `(extract(epoch from pg_xact_commit_timestamp(${to}) - pg_xact_commit_timestamp(${from})) * 1000)::float8`
