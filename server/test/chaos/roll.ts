import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPort } from '#process/find-port.ts'
import { startProcess } from '#test/service.ts'

export type Roll = {
  databaseUrl: string
  dataDir: string
  /** How many runs are at work meanwhile. */
  runs: number
  /** How often everything is started anew. */
  rounds: number
  /** How long each run works, about. */
  runSeconds: number
}

/** What clients, who come back only where nobody listens, have met with. */
export type Rolled = {
  requests: number
  statuses: Record<string, number>
  refused: number
  broken: string[]
  ended: Record<string, number>
  handOverMs: number[]
  lines: number
}

const token = `admin-token-of-a-roll-${'0'.repeat(20)}`
const at = '/v1/organizations/1'

/** Starts two API and two worker processes anew, one after the other, while clients make, follow and read runs. */
export async function roll(options: Roll): Promise<Rolled> {
  const env = {
    DATABASE_URL: options.databaseUrl,
    RUNWRIGHT_DATA_DIR: options.dataDir,
    RUNWRIGHT_ADMIN_TOKEN: token,
    RUNWRIGHT_WORKER_SLOTS: String(Math.min(256, options.runs)),
    RUNWRIGHT_DRAIN_SECONDS: '2',
    RUNWRIGHT_LOG_LEVEL: 'warn',
  }
  const ports = [await findPort('127.0.0.1'), await findPort('127.0.0.1')]
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const begin = async (word: 'api' | 'worker', port?: number) => {
    const started = startProcess(word, { env: { ...env, ...(port && { PORT: String(port) }) }, onSaid: say })
    await started.ready
    return started.child
  }
  const apis = await Promise.all([begin('api', ports[0]), begin('api', ports[1])])
  const workers = await Promise.all([begin('worker'), begin('worker')])
  const rolled: Rolled = { requests: 0, statuses: {}, refused: 0, broken: [], ended: {}, handOverMs: [], lines: 0 }
  const client = openClient(addresses, rolled)
  try {
    await client.ask('PATCH', at, { limits: { max_running: options.runs } })
    const made = await makeRuns(client, options)
    const followers = made.map((id) => follow(client, id, rolled))
    for (let round = 0; round < options.rounds; round++) {
      for (const index of [0, 1]) {
        workers[index] = await replace(workers[index]!, () => begin('worker'), rolled.handOverMs)
        apis[index] = await replace(apis[index]!, () => begin('api', ports[index]), [])
      }
    }
    for (const status of await Promise.all(followers)) rolled.ended[status] = (rolled.ended[status] ?? 0) + 1
    return rolled
  } finally {
    await Promise.all([...apis, ...workers].map(end))
  }
}

const say = (text: string) => void process.stderr.write(text)

/** Tells one to end, and begins the next when it has. */
async function replace(old: ChildProcess, begin: () => Promise<ChildProcess>, endMs: number[]): Promise<ChildProcess> {
  const toldAt = performance.now()
  await end(old)
  endMs.push(Math.round(performance.now() - toldAt))
  return begin()
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

type Client = {
  ask(method: string, route: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

/** Goes to the other address where a connection is refused, and nowhere else. */
function openClient(addresses: string[], rolled: Rolled): Client {
  let next = 0
  return {
    ask: async (method, route, body, headers = {}) => {
      for (;;) {
        const address = addresses[next++ % addresses.length]
        try {
          rolled.requests++
          const response = await fetch(`${address}${route}`, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          rolled.statuses[response.status] = (rolled.statuses[response.status] ?? 0) + 1
          return response
        } catch (error) {
          const { code } = (error as { cause?: { code?: string } }).cause ?? {}
          if (code !== 'ECONNREFUSED') rolled.broken.push(`${method} ${route}: ${code ?? String(error)}`)
          else rolled.refused++
          await sleep(50)
        }
      }
    },
  }
}

async function makeRuns(client: Client, { runs, runSeconds }: Roll): Promise<number[]> {
  const made: number[] = []
  for (let n = 0; n < runs; n++) {
    const work = n % 10 ? thoughts(runSeconds * 2) : [{ shell: 'echo {n}; sleep 0.5', repeat: runSeconds * 2 }]
    const script = [...work, { answer: 'Counted.' }]
    const body = { prompt: `Count ${n}`, agent_type: 'scripted', metadata: { script } }
    const response = await client.ask('POST', `${at}/agent/run`, body, { 'idempotency-key': `roll-${n}` })
    made.push(((await response.json()) as { id: number }).id)
  }
  return made
}

/** Steps that need no sandbox: many runs at once are to be tried on a small machine too. */
function thoughts(count: number): object[] {
  return Array.from({ length: count }, (_, index) => [{ sleep_ms: 500 }, { think: `thought ${index + 1}` }]).flat()
}

/** Reads a run's log as it grows, from one address after the other, and looks now and then how it stands. */
async function follow(client: Client, id: number, rolled: Rolled): Promise<string> {
  let seq = 0
  let hasEnded = false
  for (;;) {
    const stream = await client.ask('GET', `${at}/agent/run/${id}/logs/stream?after_seq=${seq}`)
    if (stream.status === 200) seq = await readStream(stream, seq, rolled)
    const page = (await (await client.ask('GET', `${at}/agent/run/${id}/logs?limit=1`)).json()) as Page
    if (!['completed', 'failed', 'cancelled'].includes(page.status)) await sleep(100)
    else if (page.total_logs === seq) return page.status
    else if (hasEnded) {
      rolled.broken.push(`run ${id} has ${page.total_logs} entries, and ${seq} were seen`)
      return page.status
    }
    // What it logged between the end of a stream and its own is in the next one.
    else hasEnded = true
  }
}

type Page = { status: string; total_logs: number }

async function readStream(stream: Response, after: number, rolled: Rolled): Promise<number> {
  let seq = after
  let text = ''
  try {
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, digits] = /^id: (\d+)$/m.exec(event) ?? []
        if (digits === undefined) continue
        if (Number(digits) !== ++seq) rolled.broken.push(`after entry ${seq - 1} came ${digits}`)
        rolled.lines++
      }
    }
  } catch (error) {
    rolled.broken.push(`a stream broke off: ${String(error)}`)
  }
  return seq
}
