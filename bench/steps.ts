// A step of an agent: between two requests to a model that answers at once, all that is left is the agent's own. Ours stores the
// answer, runs a command in the sandbox and stores its outcome; other agents run the same command, without a sandbox. A bare loop
// shows what the model's server, the request and the command take by themselves.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { middle, percentile } from './percentile.ts'
import { startModelServer, type ModelServer } from '../server/test/model-server.ts'
import type { ScriptedCall } from '../server/test/model-wires.ts'
import type { RunAnswer } from '../server/test/service.ts'
import { installControls } from './install-controls.ts'
import { startService } from './start-service.ts'
import { otherAgents, runOtherAgent } from './steps/other-agents.ts'

const rounds = 5
// Fewer than after which an agent of others asks its model whether it goes in circles.
const steps = 25

type BenchSteps = { databaseUrl: string; defer(work: () => Promise<void>): void }

/** Lines of the report. */
export async function benchSteps({ databaseUrl, defer }: BenchSteps): Promise<string[]> {
  const whyNot = await installControls('agents')
  const names = whyNot ? [] : Object.keys(otherAgents)
  const times = new Map<string, number[][]>(['ours', 'bare', ...names].map((name) => [name, []]))
  await using model = await startModel()
  const service = await startService({ databaseUrl, env: { OPENAI_BASE_URL: `${model.url}/v1` }, defer })
  const ours = async () => {
    const prompt = { prompt: 'Count', agent_type: 'builtin' }
    const { id } = await service.call<RunAnswer>(
      'POST',
      `/v1/organizations/${service.organizationId}/agent/run`,
      prompt,
    )
    const run = await service.untilEnded(id)
    if (run.status !== 'completed') throw new Error(`the run ended as ${JSON.stringify(run.error)}`)
  }
  // The first round is for compilers and caches to warm up.
  for (let round = -1; round < rounds; round++)
    for (const [name, of] of times) {
      const call = otherAgents[name]?.call ?? shell
      const taken = await model.time(call, () => {
        if (name === 'ours') return ours()
        return name === 'bare' ? runBareLoop(model.url) : runOtherAgent(name, model.url)
      })
      if (round >= 0) of.push(taken)
    }
  const p50 = (name: string) => percentile(times.get(name)!.flat(), 0.5)
  const fastest = names.toSorted((one, other) => p50(one) - p50(other))[0]
  const show = (ms: number) => `${ms.toFixed(2)} ms`
  const row = (name: string, label: string) => {
    const p99 = percentile(times.get(name)!.flat(), 0.99)
    return `| ${label} | ${show(p50(name))} | ${show(p99)} | ${bound(name)} |`
  }
  const ratioTo = (name: string) =>
    middle(times.get('ours')!.map((each, n) => middle(each) / middle(times.get(name)![n]!)))
  const bound = (name: string) => {
    if (name === 'ours') return `≤ 8 ms${p50(name) > 8 ? ', missed' : ''}`
    if (name === 'bare') return `the least that is possible here; ours is ${ratioTo(name).toFixed(2)}x of it`
    if (name !== fastest) return ''
    const ratio = ratioTo(name)
    return `the fastest; ours is ${ratio.toFixed(2)}x of it, ≤ 0.5x${ratio > 0.5 ? ', missed' : ''}`
  }
  return [
    '| One step of an agent: an answer of the model, a command, the next request | p50 | p99 | wanted |',
    '|---|---|---|---|',
    row('ours', 'built-in agent, in its sandbox, each answer and outcome stored'),
    row('bare', 'control: a bare loop of fetch and bash'),
    ...names.map((name) => row(name, `control: ${otherAgents[name]!.title}, without sandbox`)),
    ...(whyNot ? [`| other agents were not measured: they could not be installed (${whyNot}) | | | |`] : []),
  ]
}

async function runBareLoop(url: string): Promise<void> {
  const script = path.join(import.meta.dirname, 'steps/bare-loop.ts')
  const child = spawn(process.execPath, [script, `${url}/v1`], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the bare loop ended with ${code}`)
}

const shell = (command: string): ScriptedCall => ({ name: 'shell', input: { command } })

type TimedModel = ModelServer & {
  /** The ms between the requests of one run, whose commands are called so. */
  time(call: (command: string) => ScriptedCall, run: () => Promise<void>): Promise<number[]>
}

async function startModel(): Promise<TimedModel> {
  let at: number[] = []
  let callOf = shell
  const model = await startModelServer(({ body }) => {
    // Some ask for a title besides.
    if (!Array.isArray(body['tools']) || body['tools'].length === 0) return { text: '{"title":"Count"}' }
    const step = at.push(performance.now())
    if (step <= steps) return { text: `Step ${step}.`, calls: [callOf(`echo ${step}`)] }
    return callOf === shell
      ? { calls: [{ name: 'finish', input: { summary: 'Done.', checks: [] } }] }
      : { text: 'Done.' }
  })
  const time: TimedModel['time'] = async (call, run) => {
    callOf = call
    at = []
    await run()
    if (at.length <= steps) throw new Error(`an agent ended after ${at.length} of ${steps} steps`)
    return at.slice(1, steps + 1).map((time, n) => time - at[n]!)
  }
  return Object.assign(model, { time })
}
