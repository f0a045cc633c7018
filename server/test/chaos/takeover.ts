// How long a run stands still when its worker is killed, or frozen. node bin/node24.mjs server/test/chaos/takeover.ts
// --kills 50 --seed 1 [--freeze --frozen-seconds 12] [--remote: the machines of remote workers, of which one worker takes all]
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { startEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import { one, openPool } from '#db/pool.ts'
import { findPort } from '#process/find-port.ts'
import { startService, type LogAnswer, type Service } from '#test/service.ts'
import { startRemoteWorker } from '#test/start-remote-worker.ts'
import { seededRandom, type Random } from './random.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    freeze: { type: 'boolean', default: false },
    'frozen-seconds': { type: 'string', default: '12' },
    remote: { type: 'boolean', default: false },
  },
})
const kills = Number(values.kills)
const limitsMs = values.freeze ? { p50: 7_000, p99: 8_000 } : { p50: 500, p99: 2_000 }

type Lease = { leaseId: string | null; worker: string | null }
type Took = { claimMs: number; entryMs: number }
type Scene = {
  service: Service
  pool: pg.Pool
  workers: ChildProcess[]
  startWorker: () => Promise<ChildProcess>
  runId: number
  random: Random
}

const holder = (pool: pg.Pool, runId: number) =>
  one<Lease>(
    pool,
    `select h.lease_id, w.name as worker from run_heads h left join workers w on w.id = h.worker_id where h.run_id = $1`,
    [runId],
  )

async function lastSeq(pool: pg.Pool, runId: number): Promise<number> {
  const { seq } = await one<{ seq: number }>(pool, 'select next_seq - 1 as seq from run_heads where run_id = $1', [
    runId,
  ])
  return seq
}

/** Polls every few milliseconds until there is an answer. */
async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`waited for a minute: ${what}`)
    await sleep(4)
  }
}

/** Stops the worker that holds the run, and measures until another has claimed it and written the next entry. */
async function strike({ pool, workers, startWorker, runId, random }: Scene): Promise<Took> {
  // What is measured is how soon others take over, not how soon a process starts.
  await until('the others are there', async () => (workers.length >= 3 ? true : undefined))
  await sleep(300 + random.between(0, 700))
  const held = await until('the run is held', async () => {
    const found = await holder(pool, runId)
    return found.leaseId && found.worker ? found : undefined
  })
  const victim = workers.find(({ pid }) => `${held.worker}-`.includes(`-${pid}-`))
  if (!victim) throw new Error(`${held.worker} is none of these workers`)
  workers.splice(workers.indexOf(victim), 1)
  victim.kill(values.freeze ? 'SIGSTOP' : 'SIGKILL')
  const struckAt = performance.now()
  const replaced = values.freeze
    ? sleep(Number(values['frozen-seconds']) * 1_000).then(() => {
        victim.kill('SIGCONT')
        workers.push(victim)
      })
    : startWorker().then((worker) => workers.push(worker))
  waiting.add(replaced)
  void replaced.finally(() => waiting.delete(replaced))
  await until('another worker claims the run', async () => {
    const { leaseId } = await holder(pool, runId)
    return leaseId !== null && leaseId !== held.leaseId ? leaseId : undefined
  })
  const claimMs = performance.now() - struckAt
  const seq = await lastSeq(pool, runId)
  await until('the next entry', async () => ((await lastSeq(pool, runId)) > seq ? true : undefined))
  return { claimMs, entryMs: performance.now() - struckAt }
}

const waiting = new Set<Promise<unknown>>()

/** Every step stands in the log once, in order: whoever was overtaken has written nothing. */
async function checkLog(service: Service, runId: number): Promise<{ entries: number; repeated: number }> {
  const log: LogAnswer[] = []
  for (let page: LogAnswer[] = []; log.length === 0 || page.length === 100; log.push(...page)) {
    const after = log.at(-1)?.seq ?? 0
    const route = `/v1/organizations/1/agent/run/${runId}/logs?after_seq=${after}`
    page = (await service.call<{ logs: LogAnswer[] }>('GET', route)).logs
  }
  const steps = log.filter((entry) => entry.message_type === 'ACTION')
  log.forEach(({ seq }, index) => {
    if (seq !== index + 1) throw new Error(`entry ${index + 1} has the number ${seq}`)
  })
  let done = 0
  for (const { tool_input: input } of steps) {
    const n = Number(/^echo (\d+); sleep 0\.05$/.exec(String(input?.['command']))?.[1])
    // Another machine begins at the last checkpoint, and does again what came after it.
    const isNext = n === done + 1 || (values.remote && n <= done)
    if (!isNext) throw new Error(`after step ${done} comes ${JSON.stringify(input)}`)
    done = n
  }
  return { entries: log.length, repeated: steps.filter(({ tool_output: output }) => output?.['repeated']).length }
}

/** Starts a worker that takes remote ones; what is answered starts one of these. */
async function acceptMachines(service: Service): Promise<() => Promise<ChildProcess>> {
  const port = await findPort('127.0.0.1')
  const token = 'what-remote-workers-show-when-they-are-killed'
  const accepts = { RUNWRIGHT_REMOTE_WORKERS: `${port}`, RUNWRIGHT_WORKER_TOKEN: token, RUNWRIGHT_WORKER_SLOTS: '0' }
  await service.startWorker(accepts)
  const env = { RUNWRIGHT_SERVICE_URL: `http://127.0.0.1:${port}`, RUNWRIGHT_WORKER_TOKEN: token }
  const defer = (cleanUp: () => Promise<void>) => stack.defer(cleanUp)
  return async () => (await startRemoteWorker({ env, onSaid: () => {}, defer })).child
}

function report(name: string, times: number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN)
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`)
  return { p50: at(0.5), p99: at(0.99) }
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-takeover-'))
chmodSync(folder, 0o711)
await using stack = new AsyncDisposableStack()
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const postgres = await startEmbedded(path.join(folder, 'postgres'))
stack.defer(() => postgres.stop())
const pool = openPool(postgres.url, { connectionsMax: 2 })
stack.defer(() => pool.end())
await migrate(pool)
const service = await startService({
  databaseUrl: postgres.url,
  role: 'api',
  defer: (cleanUp) => stack.defer(cleanUp),
})
stack.defer(async () => void (await Promise.allSettled(waiting)))
const startWorker = values.remote ? await acceptMachines(service) : () => service.startWorker()
const workers = await Promise.all(Array.from({ length: values.freeze ? 4 : 3 }, startWorker))
const { id: runId } = await service.call<{ id: number }>('POST', '/v1/organizations/1/agent/run', {
  prompt: 'Count',
  agent_type: 'scripted',
  metadata: { script: [{ shell: 'echo {n}; sleep 0.05', repeat: 10_000 }] },
})
console.log(
  `${kills} workers are ${values.freeze ? 'frozen' : 'killed'}, seed ${values.seed}, ${new Date().toISOString()}`,
)
const scene = { service, pool, workers, startWorker, runId, random: seededRandom(Number(values.seed)) }
const took: Took[] = []
for (let kill = 1; kill <= kills; kill++) took.push(await strike(scene))
await Promise.all(waiting)
// Those who woke have had time to write what they had in hand.
await sleep(values.freeze ? 3_000 : 500)
const { entries, repeated } = await checkLog(service, runId)
console.log(`${entries} entries, without a hole or a double; ${repeated} steps were repeated and say so`)
const claimed = report(
  'claimed by another worker',
  took.map(({ claimMs }) => claimMs),
)
report(
  'next entry of the log',
  took.map(({ entryMs }) => entryMs),
)
await service.call('POST', `/v1/organizations/1/agent/run/${runId}/cancel`)
if (claimed.p50 > limitsMs.p50 || claimed.p99 > limitsMs.p99) {
  console.error(`more than ${limitsMs.p50} ms (p50) or ${limitsMs.p99} ms (p99)`)
  process.exitCode = 1
}
