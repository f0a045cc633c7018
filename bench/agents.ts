// Built-in agents at work at once in one worker: what each of them takes of its memory.
import { readFileSync } from 'node:fs'
import { startModelServer } from '../server/test/model-server.ts'
import type { RunAnswer } from '../server/test/service.ts'
import { startService } from './start-service.ts'

const agents = 50
/** After so many steps, all of which stay in its memory, each agent waits for the others. */
const steps = 10

type BenchAgents = { databaseUrl: string; defer(work: () => Promise<void>): void }

/** Lines of the report. */
export async function benchAgents({ databaseUrl, defer }: BenchAgents): Promise<string[]> {
  const arrived = { count: 0, waiting: 0, open: () => {} }
  let opened = new Promise<void>((resolve) => (arrived.open = resolve))
  await using model = await startModelServer(async ({ body }) => {
    const answers = (body['messages'] as { role: string }[]).filter(({ role }) => role === 'assistant').length
    if (answers < steps)
      return { text: 'A look.', calls: [{ name: 'shell', input: { command: `seq ${answers}000 ${answers}900` } }] }
    if (++arrived.count === arrived.waiting) arrived.open()
    await opened
    return { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }
  })
  const env = {
    OPENAI_BASE_URL: `${model.url}/v1`,
    RUNWRIGHT_MODEL: 'scripted-1',
    RUNWRIGHT_WORKER_SLOTS: String(agents),
  }
  const service = await startService({ databaseUrl, role: 'api', env, defer })
  const worker = await service.startWorker()
  const at = `/v1/organizations/${service.organizationId}`
  await service.call('PATCH', at, { limits: { max_running: agents } })
  /** What the worker holds when so many agents have taken all their steps, in MiB. */
  const hold = async (count: number): Promise<number> => {
    Object.assign(arrived, { count: 0, waiting: count })
    opened = new Promise<void>((resolve) => (arrived.open = resolve))
    let resident = 0
    const measured = opened.then(() => void (resident = residentOf(worker.pid)))
    const runs = await Promise.all(
      Array.from({ length: count }, () =>
        service.call<RunAnswer>('POST', `${at}/agent/run`, { prompt: 'Look.', agent_type: 'builtin' }),
      ),
    )
    for (const { id } of runs) {
      const run = await service.untilEnded(id, 300_000)
      if (run.status !== 'completed') throw new Error(`a run ended as ${JSON.stringify(run.error)}`)
    }
    await measured
    return resident
  }
  // The first ones load what all of them use.
  await hold(2)
  const one = await hold(1)
  const all = await hold(agents)
  const each = (all - one) / (agents - 1)
  return [
    '| What | memory of the worker |',
    '|---|---|',
    `| control: 1 agent of ${steps} steps | ${one.toFixed(0)} MiB |`,
    `| ${agents} agents at once | ${all.toFixed(0)} MiB, ${each.toFixed(1)} MiB for each more |`,
    '',
  ]
}

function residentOf(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
