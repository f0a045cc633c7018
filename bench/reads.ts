// How fast runs and their logs are read, each against a control in the same minute.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { limits } from '../server/src/base/limits.ts'
import { inTransaction } from '../server/src/db/transaction.ts'
import { packLog } from '../server/src/domain/runs/logs/pack-log.ts'
import { makeRun } from '../server/test/make-run.ts'
import type { Service } from '../server/test/service.ts'
import { startService } from './start-service.ts'
import { middle } from './percentile.ts'

export type BenchReads = { pool: pg.Pool; databaseUrl: string; defer: (work: () => Promise<void>) => void }
type Order = { url: string; pages?: number; senders?: number }

const entries = 1_000_000
const rounds = 9
const roundMs = 1_000
const connections = 32
// Limits are on, and as costly as they are by default; many tokens share the work, so that none meets its own. Each is
// looked up once a second: more than it takes would measure that.
const limitsOn = 'standard=60/1,logs=60/1'
const tokensCount = 1_000
const pageSenders = 500
const refusalRounds = 2_000

/** Lines of the report. */
export async function benchReads({ pool, databaseUrl, defer }: BenchReads): Promise<string[]> {
  const service = await startService({ databaseUrl, role: 'api', env: { RUNWRIGHT_RATE_LIMITS: limitsOn }, defer })
  const tokens = await makeTokens(service)
  const runId = await makeLongRun(pool, service)
  const at = `${service.url}/v1/organizations/${service.organizationId}/agent/run/${runId}`
  const bare = await startBare(defer, { databaseUrl, bytes: await readPage(service.token, `${at}/logs?skip=0`) })
  const load = startLoad(defer, tokens)
  const key = `${service.organizationId}/${runId}`
  const pages = entries / 100

  const run = await compare(load, { ours: { url: at }, control: { url: `${bare}/run/${key}` } })
  const again = await compare(load, {
    ours: { url: `${at}/logs?skip=0`, senders: pageSenders },
    control: { url: `${bare}/memory` },
  })
  const first = await compare(load, {
    ours: { url: `${at}/logs?skip={n}`, pages, senders: pageSenders },
    control: { url: `${bare}/page/${key}?skip={n}`, pages },
  })
  const deep = await deepPages(tokens, at)
  const refused = await refusals(pool, { service, tokens })
  await serveTogether(pool, service)
  const shared = await compare(load, { ours: { url: at }, control: { url: `${bare}/run/${key}` } })
  return [
    '| What | ours | control | ours against control | wanted |',
    '|---|---|---|---|---|',
    row('GET run', 'bare Fastify, one PostgreSQL read', run, 0.6),
    row('GET run, where two processes serve and share their limits', 'bare Fastify, one PostgreSQL read', shared, 0.35),
    row('page of 100 log entries, read again', 'bare Fastify, the same bytes from memory', again, 0.5),
    row('page of 100 log entries, read first', 'bare Fastify, rows to objects to JSON', first, 2),
    '',
    ...deep,
    ...refused,
    '',
  ]
}

/** As many tokens of each member as one may have, made as fast as the limits let us. */
async function makeTokens(service: Service): Promise<string[]> {
  const at = `/v1/organizations/${service.organizationId}`
  const make = async (path: string, body: object): Promise<{ id: number; token: string }> => {
    for (;;) {
      const answer = await service.ask('POST', `${at}${path}`, body)
      if (answer.ok) return (await answer.json()) as { id: number; token: string }
      if (answer.status !== 429) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
      await sleep(Number(answer.headers.get('retry-after')) * 1_000)
    }
  }
  const tokens: string[] = []
  let member = 0
  while (tokens.length < tokensCount) {
    if (tokens.length % limits.tokensPerMemberMax === 0) member = (await make('/members', { full_name: 'Bench' })).id
    tokens.push((await make('/tokens', { name: `bench ${tokens.length}`, user_id: member })).token)
  }
  return tokens
}

/** A second process that serves, and the wait until both count requests in the database. */
async function serveTogether(pool: pg.Pool, service: Service): Promise<void> {
  await service.startApi()
  const counting = 'select count(*)::int as n from rate_counters where alive_until > now() and not in_memory'
  while ((await pool.query<{ n: number }>(counting)).rows[0]?.n !== 2) await sleep(50)
}

/** A run with a million entries, as the statements of the service would have left it. */
async function makeLongRun(pool: pg.Pool, service: Service): Promise<number> {
  const path = `/v1/organizations/${service.organizationId}/agent/run`
  const { id } = await service.call<{ id: number }>('POST', path, {
    prompt: 'Count to a million',
    agent_type: 'scripted',
  })
  const entry = { turn: 1, message_type: 'ACTION', thought: 'Next, the file is read.', tool_name: 'shell' }
  const rest = {
    tool_input: { command: 'sed -n 1,40p src/main.ts' },
    tool_output: { text: '§', exit_code: 0 },
    observation: null,
    duration_ms: 12,
  }
  await inTransaction(pool, async (tx) => {
    await tx.query(
      `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'ACTION', replace($3, '§', repeat(md5(n::text), 8))::json from generate_series(1, $4::int) n`,
      [service.organizationId, id, JSON.stringify({ ...entry, ...rest }), entries],
    )
  })
  await pool.query(
    `update run_heads set status = 'cancelled', status_detail = null, next_seq = $3 + 1, revision = revision + 1 where organization_id = $1 and run_id = $2`,
    [service.organizationId, id, entries],
  )
  // As the worker does at the end of a turn.
  await packLog(pool, {
    organizationId: service.organizationId,
    runId: id,
    entries,
    blobs: { get: async () => undefined },
  })
  await pool.query('vacuum analyze log_entries')
  return id
}

async function readPage(token: string, url: string): Promise<Buffer> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

async function startBare(
  defer: BenchReads['defer'],
  { databaseUrl, bytes }: { databaseUrl: string; bytes: Buffer },
): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-'))
  const file = path.join(folder, 'page.json')
  writeFileSync(file, bytes)
  const server = path.join(import.meta.dirname, 'reads/bare-server.ts')
  const child = spawn(process.execPath, [server, databaseUrl, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  defer(async () => {
    child.kill()
    rmSync(folder, { recursive: true })
  })
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the bare server did not start')
}

type Load = (order: Order) => Promise<number>

/** Answers requests a second. */
function startLoad(defer: BenchReads['defer'], tokens: string[]): Load {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'reads/load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  defer(async () => void child.kill())
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async ({ url, pages = 1, senders = tokensCount }) => {
    child.stdin.write(`${JSON.stringify({ url, tokens: tokens.slice(0, senders), connections, ms: roundMs, pages })}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error('the client has ended')
    return (JSON.parse(value) as { perSecond: number }).perSecond
  }
}

type Compared = { ours: number; control: number; ratio: number }

/** Rounds of both, in turns; the middle one of the pairs. */
async function compare(load: Load, { ours, control }: { ours: Order; control: Order }): Promise<Compared> {
  const pairs: Compared[] = []
  // The first ones are for plans, connections and compilers to warm up.
  for (let round = -3; round < rounds; round++) {
    const pair = { control: await load(control), ours: await load(ours) }
    if (round >= 0) pairs.push({ ...pair, ratio: pair.ours / pair.control })
  }
  return pairs.sort((one, other) => one.ratio - other.ratio)[Math.floor(pairs.length / 2)]!
}

function row(what: string, control: string, compared: Compared, request: number): string {
  const { ours, control: theirs, ratio } = compared
  return `| ${what} | ${Math.round(ours)}/s | ${control}: ${Math.round(theirs)}/s | ${ratio.toFixed(2)}x | ≥ ${request}x${ratio < request ? ', missed' : ''} |`
}

/** The last page against the first, one request at a time; each other page once, so that nothing is remembered. */
async function deepPages(tokens: string[], at: string): Promise<string[]> {
  const times = { first: [] as number[], last: [] as number[] }
  for (let n = 0; n < 220; n++) {
    for (const [where, skip] of [
      ['first', n * 100],
      ['last', entries - 100 - n * 100],
    ] as const) {
      const begun = performance.now()
      await readPage(tokens[n % tokens.length]!, `${at}/logs?skip=${skip}`)
      if (n >= 20) times[where].push(performance.now() - begun)
    }
  }
  const [first, last] = [middle(times.first), middle(times.last)]
  return [
    '| What | p50 | control | ours against control | wanted |',
    '|---|---|---|---|---|',
    `| a run of ${entries.toLocaleString('en')} entries: pages around skip = 999,900, read first | ${last.toFixed(2)} ms | pages around skip = 0: ${first.toFixed(2)} ms | ${(last / first).toFixed(2)}x | ≤ 1.5x${last / first > 1.5 ? ', missed' : ''} |`,
  ]
}

/** Who guesses numbers must not learn from the time of a refusal which ones are taken. */
async function refusals(
  pool: pg.Pool,
  { service: { url, organizationId }, tokens }: { service: Service; tokens: string[] },
): Promise<string[]> {
  const theirs = await makeRun(pool)
  const nobodys = { organizationId: theirs.organizationId + 1_000, id: theirs.id + 1_000 }
  const at = (organization: number, run: number) => `${url}/v1/organizations/${organization}/agent/run/${run}`
  return [
    await compareRefusals(tokens, {
      what: 'a run of another organization is refused',
      urls: [at(organizationId, theirs.id), at(organizationId, nobodys.id)],
    }),
    await compareRefusals(tokens, {
      what: 'another organization is refused',
      urls: [at(theirs.organizationId, theirs.id), at(nobodys.organizationId, theirs.id)],
    }),
  ]
}

async function compareRefusals(
  tokens: string[],
  { what, urls }: { what: string; urls: [taken: string, free: string] },
): Promise<string> {
  const times: [number[], number[]] = [[], []]
  for (let n = 0; n < refusalRounds; n++) {
    const headers = { authorization: `Bearer ${tokens[n % tokens.length]}` }
    for (const which of n % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const begun = performance.now()
      const answer = await fetch(urls[which], { headers })
      await answer.arrayBuffer()
      if (answer.status !== 404 && answer.status !== 403) throw new Error(`${urls[which]}: ${answer.status}`)
      times[which].push(performance.now() - begun)
    }
  }
  const [taken, free] = [middle(times[0]), middle(times[1])]
  const ratio = taken / free
  return `| ${what} | ${taken.toFixed(3)} ms | a number that is nobody's: ${free.toFixed(3)} ms | ${ratio.toFixed(2)}x | 0.9x to 1.1x${Math.abs(ratio - 1) > 0.1 ? ', missed' : ''} |`
}
