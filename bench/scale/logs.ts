// What a log costs by how many partitions there are: each holds the entries of 100,000 runs, so a billion entries are hundreds of them.
import type pg from 'pg'
import { one, openPool, rows } from '../../server/src/db/pool.ts'
import { createOrganization } from '../../server/src/domain/accounts/organizations/create-organization.ts'
import { appendLog, logLines } from '../../server/src/domain/runs/logs/append-log.ts'
import { readLogPage } from '../../server/src/domain/runs/logs/read-log-page.ts'
import { percentile } from '../percentile.ts'

const runsOfPartition = 100_000
const runsFilled = 10
const entriesOfRun = 100
const rounds = 1_000
const cases = [3, 30, 300]

/** Lines of the report. */
export async function benchLogs(pool: pg.Pool, databaseUrl: string): Promise<string[]> {
  const lines: string[] = []
  let filled = 0
  for (const partitions of cases) {
    for (; filled < partitions; filled++) await fillPartition(pool, filled)
    await pool.query('analyze log_entries')
    // Plans are made anew in connections that were opened after the partitions.
    const fresh = openPool(databaseUrl, { connectionsMax: 2, name: 'bench logs' })
    const [append, page, make] = [
      await measureAppends(fresh),
      await measurePages(fresh),
      await measureMake(fresh, filled),
    ]
    await fresh.end()
    lines.push(`| ${partitions} partitions of a log | ${[append, page, make].map(show).join(' | ')} |`)
  }
  const { bytes, entries } = await one<{ bytes: number; entries: number }>(
    pool,
    `select (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('log_entries')) as bytes, count(*)::float8 as entries from log_entries`,
  )
  return [
    '| p50 | an entry is appended | a page of 100 entries is read | a look for missing partitions |',
    '|---|---|---|---|',
    ...lines,
    '',
    `An entry whose text has ${text.length} characters takes ${Math.round(bytes / entries)} bytes of disk, with its index.`,
    '',
  ]
}

const text = 'I read the file and look for where the limit is checked. '.repeat(10)
const entry = logLines([{ messageType: 'ACTION', thought: text } as never], { turn: 1, mask: (same) => same })

/** Runs at work, the first ones of a partition, with their logs. */
async function fillPartition(pool: pg.Pool, n: number): Promise<void> {
  const first = n * runsOfPartition + 1
  await pool.query('select make_partitions($1)', [first])
  const [user] = await rows<{ id: number }>(
    pool,
    `insert into users (email, full_name) values (gen_random_uuid() || '@example.com', 'Ada') returning id`,
  )
  const [worker] = await rows<{ id: number }>(
    pool,
    `insert into workers (name, slots, version, alive_until) values ('bench', 1, '0', now() + interval '1 hour') returning id`,
  )
  const { id } = await createOrganization(pool, { name: `log ${n}`, userId: user!.id })
  await pool.query(
    `with made as (
       insert into runs (organization_id, id, user_id, source_type, agent_type, prompt, timeout_minutes, create_pull_request)
       overriding system value select $1, $2 + n, $3, 'API', 'scripted', 'Do nothing', 60, false from generate_series(0, $4 - 1) as n
       returning organization_id, id)
     insert into run_heads (organization_id, run_id, status, worker_id, lease_id, next_seq)
     select organization_id, id, 'in_progress', $6, gen_random_uuid(), $5 + 1 from made`,
    [id, first, user!.id, runsFilled, entriesOfRun, worker!.id],
  )
  await pool.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2 + run, seq, 'ACTION', $5::json from generate_series(0, $3 - 1) as run, generate_series(1, $4) as seq`,
    [id, first, runsFilled, entriesOfRun, entry.bodies[0]],
  )
}

/** Runs of all partitions, some of them more than once. */
const chooseRuns = (pool: pg.Pool) =>
  rows<{ organizationId: number; runId: number; leaseId: string }>(
    pool,
    `select organization_id, run_id, lease_id from run_heads, generate_series(1, $1) where status = 'in_progress' order by random() limit $1`,
    [rounds],
  )

async function measureAppends(pool: pg.Pool): Promise<number[]> {
  const times: number[] = []
  for (const run of await chooseRuns(pool)) {
    const begun = performance.now()
    await appendLog(pool, { ...run, lines: entry })
    times.push(performance.now() - begun)
  }
  return times
}

async function measurePages(pool: pg.Pool): Promise<number[]> {
  const times: number[] = []
  const blobs = {} as never
  for (const { organizationId, runId } of await chooseRuns(pool)) {
    const begun = performance.now()
    await readLogPage(pool, { organizationId, runId, from: 1, to: entriesOfRun, blobs })
    times.push(performance.now() - begun)
  }
  return times
}

async function measureMake(pool: pg.Pool, partitions: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < 100; n++) {
    const begun = performance.now()
    await pool.query('select make_partitions($1)', [(partitions - 1) * runsOfPartition + 1])
    times.push(performance.now() - begun)
  }
  return times
}

const show = (times: number[]) => `${percentile(times, 0.5).toFixed(2)} ms`
