// The queue of jobs: how many that do nothing are requested and done in a second, and what an idle worker's look costs.
import type pg from 'pg'
import { openLogger } from '../server/src/base/logger.ts'
import { openMetrics } from '../server/src/base/telemetry/metrics.ts'
import { Telemetry } from '../server/src/base/telemetry/telemetry.ts'
import { openTraces } from '../server/src/base/telemetry/traces.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { openPool } from '../server/src/db/pool.ts'
import { requestJob } from '../server/src/domain/hosts/jobs/request-job.ts'
import { JobRunner } from '../server/src/worker/jobs/job-runner.ts'
import { makeOrganization } from '../server/test/make.ts'
import { percentile, middle } from './percentile.ts'
import type { BenchQueue } from './queue.ts'
import { installControls } from './install-controls.ts'
import { clients, measure, slots, startPgBoss, type Side } from './queue/throughput.ts'

const rounds = 5
const jobs = 1_000
const looks = 300
const waiting = 5_000

/** Lines of the report. */
export async function benchJobs(options: BenchQueue): Promise<string[]> {
  const whyNot = await installControls('queue')
  if (whyNot) return [`Jobs were not measured: the control could not be installed (${whyNot}).`]
  const db = openPool(options.databaseUrl, { connectionsMax: clients + slots, name: 'bench jobs' })
  options.defer(() => db.end())
  await migrate(db)
  const [ours, control] = [await startOurs(db), await startPgBoss(options)]
  const done: { ours: number; control: number }[] = []
  // The first round is for plans and compilers to warm up.
  for (let n = -1; n < rounds; n++) {
    const round = { control: await control(jobs), ours: await ours.side(jobs) }
    if (n >= 0) done.push(round)
  }
  const each = (name: 'ours' | 'control') => Math.round(middle(done.map((round) => round[name])))
  const ratio = middle(done.map((round) => round.ours / round.control)).toFixed(2)
  const look = await ours.look()
  await ours.end()
  return [
    '| What | ours | control | ours against control |',
    '|---|---|---|---|',
    `| jobs that do nothing, requested by ${clients} clients, each of its own organization; ${slots} at once | ${each('ours')}/s | pg-boss alone: ${each('control')}/s | ${ratio}x |`,
    `| a look of an idle worker, beside ${waiting.toLocaleString('en-US')} jobs that are due later, p50 | ${look.ours.toFixed(2)} ms | a transaction of two bare statements: ${look.control.toFixed(2)} ms | ${(look.ours / look.control).toFixed(2)}x |`,
    '',
  ]
}

/** One worker's runner, as it is; the app around it has what it uses. */
async function startOurs(db: pg.Pool) {
  const logger = openLogger({ level: 'silent' })
  const none = 'none' as const
  const enforcement = { memory: none, cpu: none, processes: none, disk: none, network: none, kill: none }
  const app = {
    pool: db,
    config: { workerLabels: [] },
    sandboxes: { enforcement },
    mask: (text: string) => text,
    logger,
    telemetry: new Telemetry({ logger, metrics: openMetrics(), traces: await openTraces(null, logger) }),
  }
  const never = new AbortController().signal
  let done = 0
  let wake = () => {}
  const handle = async () => void done++
  const retry = { triesMax: 1, pauseMs: 1, pauseMsMax: 1 }
  const types = { delivery: { handle, atOnceMax: slots, tryMsMax: 60_000, retry } }
  const runner = new JobRunner(app as never, { types, workerId: null, onEnded: () => wake() })
  const organizations = await Promise.all(Array.from({ length: clients }, async () => (await makeOrganization(db)).id))
  let next = 0
  const side: Side = async (count) => {
    const last = done + count
    const isOver = () => done >= last
    const working = (async () => {
      while (!isOver()) {
        const woken = new Promise<void>((resolve) => (wake = resolve))
        if (!(await runner.begin(never))) await woken
      }
    })()
    const request = async (client: number) => {
      await requestJob(db, { organizationId: organizations[client]!, kind: 'delivery', ref: next++ })
      wake()
    }
    return measure(count, { clients, act: request, completed: async () => (await working, count) })
  }
  const look = async () => {
    await db.query(
      `insert into jobs (organization_id, kind, ref, key, due_at)
       select $1, 'delivery', 'later ' || n, n::text, now() + interval '1 day' from generate_series(1, $2) as n`,
      [organizations[0], waiting],
    )
    const times: Record<'ours' | 'control', number[]> = { ours: [], control: [] }
    for (let n = 0; n < looks; n++) {
      times.ours.push(await time(() => runner.begin(never)))
      times.control.push(await time(() => twoStatements(db)))
    }
    return { ours: percentile(times.ours, 0.5), control: percentile(times.control, 0.5) }
  }
  return { side, look, end: () => runner[Symbol.asyncDispose]() }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

async function twoStatements(db: pg.Pool): Promise<void> {
  const client = await db.connect()
  for (const statement of ['begin', 'select 1', 'select 2', 'commit']) await client.query(statement)
  client.release()
}
