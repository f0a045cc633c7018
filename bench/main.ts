// Speed, as ratios against a named control in the same run. Writes bench/results.md: command, machine, date, figures.
// Rounds of control and ours alternate, so that a busy machine slows both. Told names of parts, it prints those alone.
import { mkdtempSync, rmSync, chmodSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { startEmbedded, type EmbeddedPostgres } from '../server/src/db/embedded.ts'
import { openPool } from '../server/src/db/pool.ts'
import type { Service } from '../server/test/service.ts'
import { startService } from './start-service.ts'
import { percentile } from './percentile.ts'
import { benchAcp } from './acp.ts'
import { benchAgents } from './agents.ts'
import { benchNeighbors } from './neighbors.ts'
import { benchArchive } from './archive.ts'
import { benchDeletion } from './deletion.ts'
import { benchFailover } from './failover.ts'
import { benchFleet } from './scale/fleet.ts'
import { benchGitHost } from './git-host.ts'
import { benchGitStart } from './git-start.ts'
import { benchJobs } from './jobs.ts'
import { benchQueue } from './queue.ts'
import { benchRateLimits } from './rate-limits.ts'
import { benchRepairProjects } from './repair-projects.ts'
import { benchReads } from './reads.ts'
import { benchRedaction } from './redaction.ts'
import { benchSandbox } from './sandbox.ts'
import { benchScale } from './scale.ts'
import { benchSteps } from './steps.ts'
import { benchStreams } from './streams.ts'
import { benchWarmSandbox } from './warm-sandbox.ts'
import { benchWorkspace } from './workspace.ts'

type Times = number[]
const show = (ms: number) => `${ms.toFixed(2)} ms`

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
const createRounds = 300
const actionRounds = 60

const parts: Record<string, () => Promise<void>> = {
  create: benchCreate,
  action: benchFirstAction,
  steps: benchLoops,
  agents: benchAtOnce,
  acp: benchAcpAgents,
  limits: benchLimits,
  reads: benchPages,
  streams: benchFollowers,
  queue: benchPickups,
  jobs: benchBackgroundJobs,
  archive: benchArchives,
  deletion: benchRetention,
  redaction: benchMasks,
  sandbox: benchSandboxes,
  pool: benchPool,
  workspace: benchWorkspaces,
  git: benchGit,
  'git-start': benchShells,
  neighbors: benchNeighborhood,
  scale: benchSizes,
  fleet: benchWorkers,
  failover: benchFailovers,
  'repair-projects': benchRepairs,
}
/** It needs servers that CI has not, and takes a quarter of an hour. */
const byNameOnly = ['failover']
const isWhole = process.argv.length === 2
const input = isWhole ? Object.keys(parts).filter((name) => !byNameOnly.includes(name)) : process.argv.slice(2)
const unknown = input.find((name) => !Object.hasOwn(parts, name))
if (unknown) throw new Error(`There is no part "${unknown}"; there are ${Object.keys(parts).join(', ')}.`)

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-'))
chmodSync(folder, 0o711)
const cleanUps: (() => Promise<void>)[] = []
const defer = (work: () => Promise<void>) => void cleanUps.unshift(work)
const postgres = await startPostgres(path.join(folder, 'postgres'))
const pool = openPool(postgres.url, { connectionsMax: 2, name: 'bench', statementMs: 600_000 })
const lines: string[] = []
try {
  for (const name of input) {
    await parts[name]!()
    await cleanUp()
  }
} finally {
  await cleanUp()
  await pool.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
report()

/** With the time of each commit kept, by which pickups are measured; that needs a restart. */
async function startPostgres(folder: string): Promise<EmbeddedPostgres> {
  const first = await startEmbedded(folder)
  const pool = openPool(first.administratorUrl, { connectionsMax: 1, name: 'bench' })
  await pool.query('alter system set track_commit_timestamp = on')
  await pool.end()
  await first.stop()
  return startEmbedded(folder)
}

async function cleanUp(): Promise<void> {
  for (const work of cleanUps.splice(0)) await work()
}

async function time(times: Times, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  times.push(performance.now() - begun)
}

/** Accepting a run over HTTP, against one bare durable INSERT on one connection. */
async function benchCreate(): Promise<void> {
  const service = await startService({ databaseUrl: postgres.url, role: 'api', defer })
  await pool.query('create table bare (id bigint generated always as identity primary key, body jsonb not null)')
  const body = JSON.stringify({ prompt: 'Make the failing test pass', status: 'queued' })
  const run = JSON.stringify({ prompt: 'Count', agent_type: 'scripted', metadata: { script: [{ answer: 'ok' }] } })
  const [bare, create]: [Times, Times] = [[], []]
  for (let round = 0; round < createRounds + 20; round++) {
    const warm = round < 20
    await time(warm ? [] : bare, () => pool.query('insert into bare (body) values ($1)', [body]))
    await time(warm ? [] : create, () => post(service, run))
  }
  lines.push(
    '| What | p50 | p99 | control: bare durable INSERT p50 / p99 | p50 against control | wanted |',
    '|---|---|---|---|---|---|',
    `| create a run, through HTTP | ${show(percentile(create, 0.5))} | ${show(percentile(create, 0.99))} | ${show(percentile(bare, 0.5))} / ${show(percentile(bare, 0.99))} | ${(percentile(create, 0.5) / percentile(bare, 0.5)).toFixed(2)}x | p50 ≤ 2x the control + 1 ms |`,
    '',
  )
  // Nobody works at these: they are for the clock only.
  await pool.query(`update run_heads set status = 'cancelled'`)
}

/** From an accepted run to its first ACTION, by the database's own clock. */
async function benchFirstAction(): Promise<void> {
  const service = await startService({ databaseUrl: postgres.url, defer })
  const ids: number[] = []
  for (let round = 0; round < actionRounds; round++) {
    const { id } = await createRun(service, {
      agent_type: 'scripted',
      metadata: { script: [{ shell: 'true' }, { answer: 'ok' }] },
    })
    ids.push(id)
    await service.untilEnded(id)
  }
  const { rows } = await pool.query<{ action: number }>(
    `select (extract(epoch from l.created_at - r.created_at) * 1000)::float as action
     from runs r join log_entries l on l.organization_id = r.organization_id and l.run_id = r.id and l.message_type = 'ACTION'
     where r.id = any($1)`,
    [ids],
  )
  const action = rows.map((row) => row.action)
  lines.push(
    '| What | p50 | p99 |',
    '|---|---|---|',
    `| create → first ACTION in the log (sandbox made, code checked out, a command run) | ${show(percentile(action, 0.5))} | ${show(percentile(action, 0.99))} |`,
    '',
  )
}

/** The loop of an agent, with a model that answers at once. */
async function benchLoops(): Promise<void> {
  lines.push(...(await benchSteps({ databaseUrl: postgres.url, defer })), '')
}

async function benchLimits(): Promise<void> {
  lines.push(...(await benchRateLimits(pool)))
}

async function benchMasks(): Promise<void> {
  lines.push(...(await benchRedaction(pool)))
}

async function benchAtOnce(): Promise<void> {
  lines.push(...(await benchAgents({ databaseUrl: postgres.url, defer })), '')
}

async function benchAcpAgents(): Promise<void> {
  lines.push(...(await benchAcp({ databaseUrl: postgres.url, defer })), '')
}

async function benchNeighborhood(): Promise<void> {
  lines.push(...(await benchNeighbors({ db: Object.assign(pool, { url: postgres.url }), defer })), '')
}

async function benchSandboxes(): Promise<void> {
  lines.push(...(await benchSandbox({ defer })))
}

/** Containers and Pods that are ready before they are wanted. */
async function benchPool(): Promise<void> {
  lines.push(...(await benchWarmSandbox({ defer })))
}

/** Projects of ours with a planted fault, repaired. */
async function benchRepairs(): Promise<void> {
  lines.push(...(await benchRepairProjects()), '')
}

/** Work trees, made and prepared. */
async function benchWorkspaces(): Promise<void> {
  lines.push(...(await benchWorkspace({ databaseUrl: postgres.url, defer })))
}

async function benchShells(): Promise<void> {
  lines.push(...(await benchGitStart()))
}

/** Clones and pushes after many pushes, and of many branches. */
async function benchGit(): Promise<void> {
  lines.push(...(await benchGitHost({ databaseUrl: postgres.url, defer })))
}

/** Reading runs and pages of their logs. */
async function benchPages(): Promise<void> {
  lines.push(...(await benchReads({ pool, databaseUrl: postgres.url, defer })))
}

/** Picking runs up, and getting through them. */
async function benchPickups(): Promise<void> {
  lines.push(...(await benchQueue({ pool, databaseUrl: postgres.url, defer })))
}

/** A thousand workers and ten thousand live runs. */
async function benchWorkers(): Promise<void> {
  lines.push(...(await benchFleet({ pool, databaseUrl: postgres.url, defer })))
}

/** What grows with the queue, the workers and the processes. */
async function benchSizes(): Promise<void> {
  lines.push(...(await benchScale({ pool, databaseUrl: postgres.url, defer })))
}

async function benchFailovers(): Promise<void> {
  lines.push(...(await benchFailover({ folder, defer })))
}

async function benchBackgroundJobs(): Promise<void> {
  lines.push(...(await benchJobs({ pool, databaseUrl: postgres.url, defer })))
}

async function benchArchives(): Promise<void> {
  lines.push(...(await benchArchive({ pool, databaseUrl: postgres.url, defer })))
}

async function benchRetention(): Promise<void> {
  lines.push(...(await benchDeletion({ pool, databaseUrl: postgres.url, defer })))
}

/** Following a run. */
async function benchFollowers(): Promise<void> {
  lines.push(...(await benchStreams({ pool, databaseUrl: postgres.url, defer })))
}

/** Creates a run over one connection that stays open, with the least that a client can cost. */
function post(service: Service, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const url = `${service.url}/v1/organizations/${service.organizationId}/agent/run`
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response
        .resume()
        .on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`create answered ${response.statusCode}`)),
        )
    })
    request.on('error', reject).end(body)
  })
}

function createRun(service: Service, options: object): Promise<{ id: number }> {
  return service.call('POST', `/v1/organizations/${service.organizationId}/agent/run`, { prompt: 'Count', ...options })
}

function report(): void {
  const cpu = os.cpus()[0]?.model ?? 'unknown processor'
  const head = [
    '# Speed',
    '',
    `\`${['npm run bench', ...(isWhole ? [] : ['--', ...input])].join(' ')}\` on ${new Date().toISOString().slice(0, 10)}: ${os.cpus().length} x ${cpu}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}, Node ${process.version}, embedded PostgreSQL, load average ${os.loadavg()[0]?.toFixed(1)} at the end.`,
    `${createRounds} creates, ${actionRounds} first actions. Compare within this page; a busy machine slows control and ours alike.`,
    '',
  ]
  const text = [...head, ...lines].join('\n')
  if (isWhole) writeFileSync(path.join(import.meta.dirname, 'results.md'), text)
  process.stdout.write(text)
}
