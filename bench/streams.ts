// One run followed by many: from the moment at which an entry is stored to the moment at which each follower has it,
// against a bare server that is handed the same bytes and writes them to as many.
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Entry } from '../server/src/base/entry.ts'
import { openNotifier } from '../server/src/domain/runs/logs/notifier.ts'
import { appendLog, logLines } from '../server/src/domain/runs/logs/append-log.ts'
import { claimRun } from '../server/src/domain/runs/runs/claim-run.ts'
import { finishTurn } from '../server/src/domain/runs/runs/finish-turn.ts'
import { registerTestWorker } from '../server/test/register-test-worker.ts'
import type { Service } from '../server/test/service.ts'
import { startService } from './start-service.ts'
import { percentile } from './percentile.ts'

export type BenchStreams = { pool: pg.Pool; databaseUrl: string; defer: (work: () => Promise<void>) => void }

const clients = 200
/** One after the other, ten a second; then all at once, in pieces. */
const single = 100
const warmUp = 10
const bursts = 5
const burst = 2_000
const piece = 100

/** Stores or sends entries and says when that was done. */
type Source = (ids: number[]) => Promise<number>
type Side = { source: Source; arrivals: (id: number) => Promise<number[]> }

/** Lines of the report. */
export async function benchStreams({ pool, databaseUrl, defer }: BenchStreams): Promise<string[]> {
  const service = await startService({ databaseUrl, role: 'api', defer })
  const { runId, source } = await holdRun({ pool, databaseUrl, service, defer })
  const url = `${service.url}/v1/organizations/${service.organizationId}/agent/run/${runId}/logs/stream`
  const ours: Side = { source, arrivals: await startClients({ url, token: service.token, defer }) }
  const bareUrl = await startBare(defer)
  const control: Side = {
    source: (ids) => sayBare(bareUrl, ids, runId),
    arrivals: await startClients({ url: bareUrl, token: service.token, defer }),
  }
  const one = await oneByOne(ours, control)
  const all = await allAtOnce(ours, control)
  return [
    '| What | ours p50 / p99 | control: bare node:http p50 / p99 | p99 against control | wanted |',
    '|---|---|---|---|---|',
    `| an entry of a run reaches ${clients} followers, 10 entries a second | ${milliseconds(one.ours, 0.5)} / ${milliseconds(one.ours, 0.99)} | ${milliseconds(one.control, 0.5)} / ${milliseconds(one.control, 0.99)} | ${(percentile(one.ours, 0.99) / percentile(one.control, 0.99)).toFixed(2)}x | ≤ 2x |`,
    '',
    '| What | ours | control: bare node:http | ours against control |',
    '|---|---|---|---|',
    `| ${burst} entries at once to ${clients} followers | ${Math.round(all.ours)} events/s | ${Math.round(all.control)} events/s | ${(all.ours / all.control).toFixed(2)}x |`,
    '',
  ]
}

async function oneByOne(ours: Side, control: Side): Promise<{ ours: number[]; control: number[] }> {
  const times = { ours: [] as number[], control: [] as number[] }
  for (let id = 1; id <= warmUp + single; id++) {
    for (const [name, side] of [
      ['ours', ours],
      ['control', control],
    ] as const) {
      const sentAt = await side.source([id])
      const arrived = await side.arrivals(id)
      if (id > warmUp) times[name].push(...arrived.map((at) => Math.max(0, at - sentAt)))
      await sleep(50)
    }
  }
  return times
}

/** Events that arrive in a second, over all followers; of the middle round. */
async function allAtOnce(ours: Side, control: Side): Promise<{ ours: number; control: number }> {
  const rates = { ours: [] as number[], control: [] as number[] }
  let from = warmUp + single + 1
  for (let round = 0; round < bursts; round++, from += burst) {
    for (const [name, side] of [
      ['ours', ours],
      ['control', control],
    ] as const) {
      const begun = now()
      for (let id = from; id < from + burst; id += piece)
        await side.source(Array.from({ length: piece }, (_, n) => id + n))
      const arrived = await side.arrivals(from + burst - 1)
      rates[name].push((burst * clients * 1_000) / (Math.max(...arrived) - begun))
    }
  }
  return { ours: percentile(rates.ours, 0.5), control: percentile(rates.control, 0.5) }
}

type HoldRun = BenchStreams & { service: Service }

const mask = (text: string) => text

/** A run that the bench itself holds, and what writes its log as a worker does. */
async function holdRun({ pool, databaseUrl, service, defer }: HoldRun): Promise<{ runId: number; source: Source }> {
  const { organizationId } = service
  const { id: runId } = await service.call<{ id: number }>('POST', `/v1/organizations/${organizationId}/agent/run`, {
    prompt: 'Be followed',
    agent_type: 'scripted',
  })
  const worker = await registerTestWorker(databaseUrl, { name: 'bench', place: 'bench', slots: 1 })
  // It lives as long as its lease is prolonged, and the bench is over sooner than this.
  await pool.query(`update workers set alive_until = now() + interval '1 hour' where id = $1`, [worker.workerId])
  const holder = await claimRun(pool, worker)
  if (holder?.runId !== runId) throw new Error(`the run in the queue was ${holder?.runId}, not ${runId}`)
  defer(async () => {
    await finishTurn(pool, { holder, end: { status: 'cancelled' }, entries: [], mask })
    await worker[Symbol.asyncDispose]()
  })
  const notifier = openNotifier(databaseUrl)
  defer(async () => notifier[Symbol.asyncDispose]())
  const source: Source = async (ids) => {
    const lines = logLines(
      ids.map(() => entry),
      { turn: 1, mask },
    )
    const first = await appendLog(pool, { ...holder, lines })
    if (first !== ids[0]) throw new Error(`the log stands at ${first}, not at ${ids[0]}`)
    notifier.notifyRun(runId)
    return now()
  }
  return { runId, source }
}

const entry: Entry = {
  messageType: 'ACTION',
  thought: 'Next, the file is read.',
  toolName: 'shell',
  toolInput: { command: 'sed -n 1,40p src/main.ts' },
  toolOutput: { text: 'x'.repeat(256), exit_code: 0 },
}

/** The bytes that our stream would send. */
async function sayBare(url: string, ids: number[], runId: number): Promise<number> {
  const events = ids.map((id) => {
    const { messageType, thought, toolName, toolInput, toolOutput } = entry
    const head = { agent_run_id: runId, seq: id, created_at: new Date().toISOString(), turn: 1 }
    const tool = { tool_name: toolName, tool_input: toolInput, tool_output: toolOutput }
    const data = { ...head, message_type: messageType, thought, ...tool, observation: null, duration_ms: null }
    return `id: ${id}\nevent: log\ndata: ${JSON.stringify(data)}\n\n`
  })
  const sentAt = now()
  await fetch(url, { method: 'POST', body: events.join('') })
  return sentAt
}

async function startBare(defer: BenchStreams['defer']): Promise<string> {
  return linesOf(startProgram('bare-server.ts', defer))()
}

type StartClients = { url: string; token: string; defer: BenchStreams['defer'] }

async function startClients({ url, token, defer }: StartClients): Promise<Side['arrivals']> {
  const program = startProgram('clients.ts', defer)
  const next = linesOf(program)
  const ask = async (order: unknown) => {
    program.stdin?.write(`${JSON.stringify(order)}\n`)
    return JSON.parse(await next()) as number[]
  }
  await ask({ url, token, clients })
  return ask
}

function startProgram(name: string, defer: BenchStreams['defer']): ChildProcess {
  const program = spawn(process.execPath, [path.join(import.meta.dirname, 'streams', name)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  defer(async () => void program.kill())
  return program
}

function linesOf(program: ChildProcess): () => Promise<string> {
  const lines = createInterface({ input: program.stdout! })[Symbol.asyncIterator]()
  return async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('a program of the bench has ended')
    return value
  }
}

const now = () => performance.timeOrigin + performance.now()
const milliseconds = (times: number[], share: number) => `${percentile(times, share).toFixed(2)} ms`
