// A fleet of workers and their runs: what they cost the database, what the API feels of them, and how soon the runs of a process that
// is lost go on. The workers are light: they hold leases, claim and write logs as real ones do, and work at nothing.
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { limits } from '../../server/src/base/limits.ts'
import { readProcess } from '../../server/src/base/read-process.ts'
import { openLogger } from '../../server/src/base/logger.ts'
import { openMetrics } from '../../server/src/base/telemetry/metrics.ts'
import { Telemetry } from '../../server/src/base/telemetry/telemetry.ts'
import { openTraces } from '../../server/src/base/telemetry/traces.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { one, openPool } from '../../server/src/db/pool.ts'
import { appendLog, logLines } from '../../server/src/domain/runs/logs/append-log.ts'
import { claimRun, type Claim } from '../../server/src/domain/runs/runs/claim-run.ts'
import { wakeWorkers } from '../../server/src/domain/accounts/organizations/wake-workers.ts'
import { Crew } from '../../server/src/worker/crew/crew.ts'
import type { Service } from '../../server/test/service.ts'
import { percentile } from '../percentile.ts'
import { startService } from '../start-service.ts'
import { countSessions, countTransactions } from './count-database.ts'
import { queueRuns } from './queue-runs.ts'

const crewsCount = 10
const slots = 12
/** How often a live run writes an entry. */
const entryEveryMs = 20_000
const measuredMs = 60_000
const requestEveryMs = 50

type Defer = (work: () => Promise<void>) => void
type Held = { claim: Claim; worker: LightWorker }
type LightWorker = { id: number; crew: LightCrew; held: Set<Claim> }
type LightCrew = { workers: LightWorker[]; end: AbortController; pool: pg.Pool; loops: Promise<void>[] }
type Measured = Record<string, string>

/** Lines of the report. */
export async function benchFleet({ pool, databaseUrl, defer }: { pool: pg.Pool; databaseUrl: string; defer: Defer }) {
  await migrate(pool)
  const service = await startService({ databaseUrl, role: 'api', defer })
  const some = await measureFleet({ pool, databaseUrl, service }, { workers: 100, runs: 1_000 })
  const many = await measureFleet({ pool, databaseUrl, service }, { workers: 1_000, runs: 10_000 })
  return [
    '| A fleet in ten processes, and one API process | 100 workers, 1,000 live runs | 1,000 workers, 10,000 live runs |',
    '|---|---|---|',
    ...Object.keys(many).map((what) => `| ${what} | ${some[what]} | ${many[what]} |`),
    '',
  ]
}

type Where = { pool: pg.Pool; databaseUrl: string; service: Service }

async function measureFleet({ pool, databaseUrl, service }: Where, size: { workers: number; runs: number }) {
  const measured: Measured = {}
  const known = await Promise.all(Array.from({ length: 20 }, () => service.play([])))
  const alone = await askAgainAndAgain(service, known, 10_000)
  const fleet = new Fleet(databaseUrl)
  const beginning = performance.now()
  await fleet.start(size.workers / crewsCount)
  measured['all workers registered after'] = seconds(performance.now() - beginning)

  await queueRuns(pool, { organizations: 100, runs: size.runs })
  const claiming = performance.now()
  await wakeWorkers(pool, { queued: true })
  await until(() => fleet.live >= size.runs)
  measured['claims'] = `${Math.round(size.runs / ((performance.now() - claiming) / 1_000))}/s`

  const stopWriting = fleet.write()
  await sleep(5_000)
  const before = {
    transactions: await countTransactions(pool),
    cpu: await postgresSeconds(pool),
    entries: fleet.entries,
  }
  const beside = await askAgainAndAgain(service, known, measuredMs)
  const passed = measuredMs / 1_000
  measured['log entries written'] = `${Math.round((fleet.entries - before.entries) / passed)}/s`
  measured['transactions of all'] = `${Math.round(((await countTransactions(pool)) - before.transactions) / passed)}/s`
  measured['processor time of PostgreSQL'] =
    `${(((await postgresSeconds(pool)) - before.cpu) / passed).toFixed(2)} cores`
  measured['connections of workers and API'] = String(await countSessions(pool))
  measured['API, p50 / p99'] = `${show(beside, 0.5)} / ${show(beside, 0.99)}`
  measured['API without the fleet'] = `${show(alone, 0.5)} / ${show(alone, 0.99)}`

  const { runs, times, totalMs } = await fleet.loseCrew(pool)
  measured['a process is lost: its runs'] = String(runs)
  measured['each goes on after, p50 / p99'] = `${seconds(percentile(times, 0.5))} / ${seconds(percentile(times, 0.99))}`
  measured['all do after'] = seconds(totalMs)
  await stopWriting()
  await fleet.end()
  await pool.query(
    `update run_heads set status = 'cancelled', worker_id = null, lease_id = null where status in ('queued', 'in_progress')`,
  )
  await pool.query('update run_slots set running = 0')
  return measured
}

class Fleet {
  entries = 0
  readonly #databaseUrl: string
  readonly #crews: LightCrew[] = []
  readonly #held = new Map<number, Held>()
  /** By run, from then on: when another worker took it. */
  readonly #takenOver: { runId: number; at: number }[] = []

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  get live(): number {
    return this.#held.size
  }

  async start(workersEach: number): Promise<void> {
    const logger = openLogger({ level: 'silent' })
    const telemetry = new Telemetry({ logger, metrics: openMetrics(), traces: await openTraces(null, logger) })
    await Promise.all(
      Array.from({ length: crewsCount }, async () => {
        const pool = openPool(this.#databaseUrl, { connectionsMax: 4, name: 'bench fleet' })
        const crew: LightCrew = { workers: [], end: new AbortController(), pool, loops: [] }
        this.#crews.push(crew)
        const shared = new Crew({ pool, telemetry, databaseUrl: this.#databaseUrl })
        await Promise.all(Array.from({ length: workersEach }, () => this.#startWorker(crew, shared)))
      }),
    )
  }

  async #startWorker(crew: LightCrew, shared: Crew): Promise<void> {
    const registration = { name: 'bench', slots, version: '0', labels: [], place: `bench-${Math.random()}` }
    const lease = await shared.leases.open({ registration, onLost: () => crew.end.abort() })
    const worker: LightWorker = { id: lease.workerId, crew, held: new Set() }
    crew.workers.push(worker)
    const member = {
      held: () => [...worker.held].map(({ runId }) => runId),
      stop: () => {},
      hear: () => {},
    }
    const work = async () => {
      await using _lease = lease
      await using _membership = shared.join(member)
      await this.#claimAgainAndAgain(worker, shared)
    }
    crew.loops.push(work())
  }

  async #claimAgainAndAgain(worker: LightWorker, { runs }: Crew): Promise<void> {
    const { end, pool } = worker.crew
    using seat = runs.enter('all')
    while (!end.signal.aborted) {
      const mayClaim = worker.held.size < slots
      const claim = mayClaim ? await claimRun(pool, { workerId: worker.id }).catch(() => undefined) : undefined
      if (claim && !end.signal.aborted) {
        worker.held.add(claim)
        this.#held.set(claim.runId, { claim, worker })
        this.#takenOver.push({ runId: claim.runId, at: performance.now() })
        seat.wakeNext()
        continue
      }
      if (mayClaim) await seat.wait(limits.idleLookMs, end.signal)
      else await sleep(1_000, undefined, { ref: false })
    }
  }

  /** Each live run writes an entry now and again; the answer ends that. */
  write(): () => Promise<void> {
    const stop = new AbortController()
    const lines = logLines([{ messageType: 'ACTION', thought: 'I look at the file. '.repeat(10) } as never], {
      turn: 1,
      mask: (text) => text,
    })
    const writing = this.#crews.map(async (crew, n) => {
      while (!stop.signal.aborted && !crew.end.signal.aborted) {
        const begun = performance.now()
        const held = [...this.#held.values()].filter(({ worker }) => worker.crew === crew)
        const pauseMs = entryEveryMs / Math.max(held.length, 1)
        for (const [index, { claim }] of held.entries()) {
          if (stop.signal.aborted || crew.end.signal.aborted) return
          const { organizationId, runId, leaseId } = claim
          if (await appendLog(crew.pool, { organizationId, runId, leaseId, lines }).catch(() => undefined))
            this.entries++
          const ahead = begun + (index + 1) * pauseMs - performance.now()
          if (ahead > 0) await sleep(ahead)
        }
        if (!held.length) await sleep(100 + n)
      }
    })
    return async () => {
      stop.abort()
      await Promise.all(writing)
    }
  }

  /** The session of a process ends, and its workers do not come back. */
  async loseCrew(pool: pg.Pool): Promise<{ runs: number; times: number[]; totalMs: number }> {
    const crew = this.#crews.shift()!
    const lost = new Set(crew.workers.flatMap(({ held }) => [...held].map(({ runId }) => runId)))
    this.#takenOver.length = 0
    const begun = performance.now()
    crew.end.abort()
    await pool.query(
      `select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.objid = $1::oid and l.pid <> pg_backend_pid()`,
      [crew.workers[0]!.id],
    )
    const taken = () => this.#takenOver.filter(({ runId }) => lost.has(runId))
    await until(() => taken().length >= lost.size)
    const times = taken().map(({ at }) => at - begun)
    await Promise.all(crew.loops)
    await crew.pool.end()
    return { runs: lost.size, times, totalMs: Math.max(...times) }
  }

  async end(): Promise<void> {
    for (const { end } of this.#crews) end.abort()
    for (const { loops, pool } of this.#crews) {
      await Promise.all(loops)
      await pool.end()
    }
  }
}

/** A request at a time, of three kinds: one run, its log, the newest runs. Answers with how long each took. */
async function askAgainAndAgain(service: Service, runs: { id: number }[], ms: number): Promise<number[]> {
  const at = `/v1/organizations/${service.organizationId}/agent`
  const times: number[] = []
  const end = performance.now() + ms
  for (let n = 0; performance.now() < end; n++) {
    const { id } = runs[n % runs.length]!
    const begun = performance.now()
    await service.call('GET', [`${at}/run/${id}`, `${at}/run/${id}/logs`, `${at}/runs`][n % 3]!)
    times.push(performance.now() - begun)
    await sleep(requestEveryMs)
  }
  return times
}

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 300_000; !isSo(); await sleep(20))
    if (Date.now() > deadline) throw new Error('The fleet did not get there within five minutes.')
}

const ticksPerSecond = 100

/** Processor time of all of its processes, in seconds: of those that are there, and of those that have ended. */
async function postgresSeconds(pool: pg.Pool): Promise<number> {
  const { pid } = await one<{ pid: number }>(pool, 'select pg_backend_pid() as pid')
  const { parent } = readProcess(pid)!
  const children = readdirSync('/proc')
    .map((name) => readProcess(Number(name)))
    .filter((process) => process?.parent === parent)
  const ticks = children.reduce((sum, child) => sum + child!.ticks, readProcess(parent)!.ticksOfEnded)
  return ticks / ticksPerSecond
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
const show = (times: number[], share: number) => `${percentile(times, share).toFixed(1)} ms`
