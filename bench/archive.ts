// What archiving one very long log takes, and what reading pages of it takes before and after.
import type pg from 'pg'
import { rows } from '../server/src/db/pool.ts'
import type { Service } from '../server/test/service.ts'
import { percentile } from './percentile.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from './start-service.ts'

const entries = 1_000_000
const reads = 300

export type BenchArchive = { pool: pg.Pool; databaseUrl: string; defer: (work: () => Promise<void>) => void }

/** Lines of the report. */
export async function benchArchive({ pool, databaseUrl, defer }: BenchArchive): Promise<string[]> {
  const service = await startService({ databaseUrl, role: 'api', defer })
  const run = await makeRun(pool, service)
  const path = `/v1/organizations/${service.organizationId}/agent/run/${run}/logs`
  const before = { size: await sizeOf(pool), times: await measure(service, path, 17) }
  const begun = performance.now()
  await service.call('PATCH', `/v1/organizations/${service.organizationId}`, {
    settings: { archive_logs_after_days: 1 },
  })
  const isLeft = async () =>
    (
      await rows(pool, 'select from log_entries where organization_id = $1 and run_id = $2 limit 1', [
        service.organizationId,
        run,
      ])
    ).length > 0
  while (await isLeft()) await sleep(500)
  const seconds = (performance.now() - begun) / 1_000
  const [blobs] = await rows<{ bytes: number; pieces: number }>(
    pool,
    `select coalesce(sum(bytes), 0)::float8 as bytes, count(*) as pieces from blobs where kind = 'log_archives'`,
  )
  await pool.query('vacuum full log_entries')
  const after = { size: await sizeOf(pool), times: await measure(service, path, 31) }
  const MiB = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  const show = (times: number[]) => `${percentile(times, 0.5).toFixed(2)} / ${percentile(times, 0.95).toFixed(2)} ms`
  return [
    '| What | before | after |',
    '|---|---|---|',
    `| a log of ${entries.toLocaleString('en-US')} entries, archived in ${seconds.toFixed(0)} s | ${MiB(before.size)} in PostgreSQL | ${MiB(after.size)} in PostgreSQL, ${MiB(blobs?.bytes ?? 0)} in ${blobs?.pieces} files |`,
    `| a page of 100 entries anywhere in it, p50 / p95 | ${show(before.times)} | ${show(after.times)} |`,
    '',
  ]
}

/** With its indexes. */
async function sizeOf(pool: pg.Pool): Promise<number> {
  const [found] = await rows<{ bytes: number }>(
    pool,
    `select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('log_entries')`,
  )
  return found?.bytes ?? 0
}

/** Pages far from each other, none of which was read before. */
async function measure(service: Service, path: string, offset: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < reads; n++) {
    const begun = performance.now()
    await service.call('GET', `${path}?limit=100&skip=${((n * 7_919 * 101) % (entries - 200)) + offset}`)
    times.push(performance.now() - begun)
  }
  return times
}

/** A run that has ended, with entries that are not all alike. */
async function makeRun(pool: pg.Pool, { organizationId }: Service): Promise<number> {
  const [run] = await rows<{ id: number }>(
    pool,
    `with made as (
       insert into runs (organization_id, source_type, agent_type, prompt, create_pull_request, timeout_minutes, finished_at)
       values ($1, 'API', 'scripted', 'Count', false, 60, now() - interval '2 days') returning id)
     insert into run_heads (organization_id, run_id, status, next_seq) select $1, id, 'completed', $2 + 1 from made returning run_id as id`,
    [organizationId, entries],
  )
  await pool.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'ACTION', json_build_object('turn', 1, 'message_type', 'ACTION', 'tool_name', 'shell', 'observation',
       (select string_agg(md5((n * 10 + k)::text) || ' passed in ' || n % 977 || ' ms', E'\\n') from generate_series(1, 6) k))
     from generate_series(1, $3::int) n`,
    [organizationId, run!.id, entries],
  )
  await pool.query('analyze log_entries')
  return run!.id
}
