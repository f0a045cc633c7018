// What reads take while the service deletes old runs in the background, against the same reads without it.
import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { rows } from '../server/src/db/pool.ts'
import type { Service } from '../server/test/service.ts'
import { percentile } from './percentile.ts'
import { startService } from './start-service.ts'

const oldRuns = 2_000
const entriesOfEach = 150
const pages = 10
/** Reads of a page and of a run, one after the other, with a pause between them. */
const pauseMs = 5

export type BenchDeletion = { pool: pg.Pool; databaseUrl: string; defer: (work: () => Promise<void>) => void }

/** Lines of the report. */
export async function benchDeletion({ pool, databaseUrl, defer }: BenchDeletion): Promise<string[]> {
  const service = await startService({ databaseUrl, role: 'api', defer })
  const read = await makeRun(pool, service, { runs: 1, entries: pages * 100, daysAgo: 0 })
  await makeRun(pool, service, { runs: oldRuns, entries: entriesOfEach, daysAgo: 10 })
  const begun = performance.now()
  const path = `/v1/organizations/${service.organizationId}/agent/run/${read}`
  await measure(service, path, () => performance.now() - begun < 5_000)
  const calmBegun = performance.now()
  const calm = await measure(service, path, () => performance.now() - calmBegun < 20_000)
  await service.call('PATCH', `/v1/organizations/${service.organizationId}`, { settings: { retention: { runs: 1 } } })
  const deleteBegun = performance.now()
  let isLeft = true
  const watching = (async () => {
    do await sleep(500)
    while (
      (isLeft = (await rows(pool, "select from runs where finished_at < now() - interval '1 day' limit 1")).length > 0)
    )
  })()
  const busy = await measure(service, path, () => isLeft)
  await watching
  const seconds = (performance.now() - deleteBegun) / 1_000
  const show = (times: number[]) => `${percentile(times, 0.5).toFixed(2)} / ${percentile(times, 0.95).toFixed(2)} ms`
  const ratio = (share: number) => (percentile(busy, share) / percentile(calm, share)).toFixed(2)
  const entries = oldRuns * entriesOfEach
  return [
    '| What | while it deletes, p50 / p95 | control: the same reads without it | p50, p95 against control | wanted |',
    '|---|---|---|---|---|',
    `| reads of a run and of a page of its log while retention deletes ${oldRuns.toLocaleString('en-US')} runs with ${entries.toLocaleString('en-US')} log entries, in ${seconds.toFixed(0)} s | ${show(busy)} | ${show(calm)} | ${ratio(0.5)}x, ${ratio(0.95)}x | p50 ≤ 1.2x |`,
    '',
  ]
}

async function measure(service: Service, path: string, goesOn: () => boolean): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; goesOn(); n++) {
    const begun = performance.now()
    await service.call('GET', n % 2 ? path : `${path}/logs?limit=100&skip=${(n % pages) * 100}`)
    times.push(performance.now() - begun)
    await sleep(pauseMs)
  }
  return times
}

type Made = { runs: number; entries: number; daysAgo: number }

/** Runs that have ended, each with so many entries. Answers the id of the last one. */
async function makeRun(pool: pg.Pool, { organizationId }: Service, { runs, entries, daysAgo }: Made): Promise<number> {
  const made = await rows<{ id: number }>(
    pool,
    `with made as (
       insert into runs (organization_id, source_type, agent_type, prompt, create_pull_request, timeout_minutes, finished_at)
       select $1, 'API', 'scripted', 'Count', false, 60, now() - make_interval(days => $3) from generate_series(1, $2) returning id),
     heads as (insert into run_heads (organization_id, run_id, status, next_seq) select $1, id, 'completed', $4::int + 1 from made),
     lines as (
       insert into log_entries (organization_id, run_id, seq, message_type, body)
       select $1, id, n, 'PLAN_EVALUATION', json_build_object('observation', repeat('x', 500)) from made, generate_series(1, $4::int) n)
     select id from made order by id desc limit 1`,
    [organizationId, runs, daysAgo, entries],
  )
  return made[0]!.id
}
