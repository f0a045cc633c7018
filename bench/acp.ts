// Agents that people use, driven by the service, beside the same packages driven by the same protocol without it: in no sandbox, without the
// model proxy, and with nothing stored. What is left between two requests to a model that answers at once is the agent's and ours.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import type { AgentSpec } from '../server/src/adapters/engines/acp/agents/agent-spec.ts'
import { agentSpecs } from '../server/src/adapters/engines/acp/agents/agent-specs.ts'
import { initializing } from '../server/src/adapters/engines/acp/connect-agent.ts'
import { pickOption } from '../server/src/adapters/engines/acp/pick-option.ts'
import { providers } from '../server/src/base/models/model-providers.ts'
import { findInstalled, packagesText } from '../server/src/adapters/engines/acp/find-installed.ts'
import { installAgent } from '../server/src/adapters/engines/acp/install-agent.ts'
import {
  startModelServer,
  type ModelServer,
  type ModelServerRequest,
  type ScriptedReply,
} from '../server/test/model-server.ts'
import type { RunAnswer } from '../server/test/service.ts'
import { middle, percentile } from './percentile.ts'
import { startService } from './start-service.ts'

const rounds = 3
const steps = 20
/** Kept between runs: they are large. */
const engines = path.join(import.meta.dirname, '../.data/bench-engines')
const shells = /^(?:bash|shell|run_shell_command|exec_command|shell_command)$/i

type BenchAcp = { databaseUrl: string; defer(work: () => Promise<void>): void }
/** `firstMs`: from its beginning to its first request. `treeMiB`: what the agent and its children hold at the last. */
type Measured = { stepMs: number; firstMs: number; treeMiB: number; workerMiB: number }

/** Lines of the report. */
export async function benchAcp({ databaseUrl, defer }: BenchAcp): Promise<string[]> {
  await using model = await startTimedModel()
  const service = await startService({
    databaseUrl,
    role: 'api',
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'none',
      OPENAI_WIRE: 'responses',
      GOOGLE_BASE_URL: model.url,
      GOOGLE_GENERATIVE_AI_API_KEY: 'none',
    },
    defer,
  })
  const worker = await service.startWorker()
  const ours = async (agentType: string) => {
    const route = `/v1/organizations/${service.organizationId}/agent/run`
    const { id } = await service.call<RunAnswer>('POST', route, { prompt: 'Count', agent_type: agentType })
    const run = await service.untilEnded(id, 180_000)
    if (run.status !== 'completed') throw new Error(`the run ended as ${JSON.stringify(run.error)}`)
  }
  const rows: string[] = []
  for (const spec of agentSpecs) {
    for (const folder of [engines, path.join(service.dataDir, 'engines')].map((each) => path.join(each, spec.name))) {
      if (findInstalled(folder, spec) === packagesText(spec.packages)) continue
      await installAgent({ spec, folder, env: process.env as Record<string, string> })
    }
    const measured: { ours: Measured[]; alone: Measured[] } = { ours: [], alone: [] }
    for (let round = -1; round < rounds; round++) {
      const one = await model.measure(worker.pid!, () => ours(spec.name))
      const other = await model.measure(worker.pid!, () => driveAlone(spec, model.url))
      if (round < 0) continue
      measured.ours.push(one)
      measured.alone.push(other)
    }
    const mid = (of: Measured[], key: keyof Measured) => middle(of.map((each) => each[key]))
    const [own, alone] = [measured.ours, measured.alone]
    const both = (key: keyof Measured, unit: string) =>
      `${mid(own, key).toFixed(unit === 's' ? 2 : 0)} ${unit} / ${mid(alone, key).toFixed(unit === 's' ? 2 : 0)} ${unit}`
    const [step, control] = [mid(own, 'stepMs'), mid(alone, 'stepMs')]
    rows.push(
      `| ${spec.title} | ${both('stepMs', 'ms')} | ${(step - control).toFixed(0)} ms, ${(step / control).toFixed(2)}x | ${(mid(own, 'firstMs') / 1000).toFixed(2)} s / ${(mid(alone, 'firstMs') / 1000).toFixed(2)} s | ${both('treeMiB', 'MiB')} | ${mid(own, 'workerMiB').toFixed(0)} MiB |`,
    )
  }
  return [
    `| ${steps} commands, by the service / control: the same program by the same protocol alone | a step, p50 | added by us | until the first request | memory of the agent | of our worker |`,
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ]
}

type TimedModel = ModelServer & { measure(worker: number, run: () => Promise<void>): Promise<Measured> }

async function startTimedModel(): Promise<TimedModel> {
  let at: number[] = []
  let atLast: Pick<Measured, 'treeMiB' | 'workerMiB'> = { treeMiB: 0, workerMiB: 0 }
  let workerPid = 0
  const reply = ({ body }: ModelServerRequest): ScriptedReply => {
    const names = [...JSON.stringify(body['tools'] ?? []).matchAll(/"name":"([^"]{1,100})"/g)].map(([, name]) => name!)
    const shell = names.find((name) => shells.test(name))
    // Some ask for a title besides.
    if (!shell) return { text: 'Count' }
    const step = at.push(performance.now())
    if (step === steps) atLast = { treeMiB: agentMiB(), workerMiB: residentMiB(workerPid) }
    if (step <= steps) {
      const input = /exec_command/.test(shell)
        ? { cmd: `echo ${step}` }
        : { command: `echo ${step}`, description: 'Count' }
      return { text: `Step ${step}.`, calls: [{ name: shell, input }] }
    }
    const own = names.find((name) => name.includes('runwright') && name.endsWith('finish'))
    const isSpaced = JSON.stringify(body['tools']).includes('"mcp__runwright"')
    if (step > steps + 1 || !(own || isSpaced)) return { text: 'Done.' }
    const space = own ? {} : { namespace: 'mcp__runwright' }
    return { calls: [{ name: own ?? 'finish', ...space, input: { summary: 'Counted.' } }] }
  }
  const model = await startModelServer(reply)
  const measure: TimedModel['measure'] = async (worker, run) => {
    at = []
    workerPid = worker
    const begunAt = performance.now()
    await run()
    if (at.length <= steps) throw new Error(`an agent ended after ${at.length} of ${steps} steps`)
    const gaps = at.slice(1, steps + 1).map((time, n) => time - at[n]!)
    return { stepMs: percentile(gaps, 0.5), firstMs: at[0]! - begunAt, ...atLast }
  }
  return Object.assign(model, { measure })
}

/** One prompt, by the protocol, in a folder of its own. */
async function driveAlone(spec: AgentSpec, url: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-acp-'))
  const [home, work] = [path.join(folder, 'home'), path.join(folder, 'work')]
  const model = { id: providers[spec.provider].model, baseUrl: url, contextTokens: 200_000, canSeeImages: false }
  const places = { modules: path.join(engines, spec.name, 'node_modules'), node: process.execPath, home }
  for (const made of [home, work]) mkdirSync(made)
  for (const [name, content] of Object.entries(spec.files?.(model, places) ?? {})) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), content)
  }
  const tokens = Object.fromEntries(['RUNWRIGHT_RUN_TOKEN', ...spec.tokenVariables].map((name) => [name, 'none']))
  const [program = '', ...argv] = spec.command(places, model)
  const child = spawn(program, argv, {
    cwd: work,
    env: { PATH: process.env['PATH'], ...spec.environment(model, places), ...tokens, HOME: home, NO_BROWSER: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  try {
    const lines = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>)
    const { agent } = client({ name: 'bench' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => pickOption(params))
      .onNotification(methods.client.session.update, () => {})
      .connect(lines)
    await agent.request(methods.agent.initialize, initializing)
    if (spec.authMethod) await agent.request(methods.agent.authenticate, { methodId: spec.authMethod })
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: work, mcpServers: [] })
    if (spec.mode) await agent.request(methods.agent.session.setMode, { sessionId, modeId: spec.mode }).catch(() => {})
    await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'Count' }] })
  } finally {
    process.kill(-child.pid!, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Of all programs that were started out of the packages, and of Node where it runs one. */
function agentMiB(): number {
  const own = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return /bench-engines\/|\/engine\/node_modules\//.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    } catch {
      return false
    }
  })
  return own.reduce((sum, pid) => sum + residentMiB(Number(pid)), 0)
}

function residentMiB(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}
