import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Pauses, waitMsMax } from './pauses.ts'

const ownFolder = path.resolve(import.meta.dirname, '../..')

/** The service as people start it: real processes over one database and one data folder. */
export type Service = {
  url: string
  token: string
  organizationId: number
  dataDir: string
  /** Sends a request as the first user; rejects when the status is not a 2xx. */
  call<T = Record<string, unknown>>(method: string, route: string, body?: unknown): Promise<T>
  /** The same, whatever the status is. */
  ask(method: string, route: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Starts a run of the scripted engine with this script; `more` is what else is said of it. */
  play(script: object[], more?: object): Promise<RunAnswer>
  /** The first process. */
  child: ChildProcess
  /** One with a `RUNWRIGHT_DATA_DIR` of its own stands for one on another machine. */
  startWorker(env?: Record<string, string>): Promise<ChildProcess>
  /** A worker with a disk of its own, which knows of the host nothing but where its gateway is. */
  startElsewhere(env?: Record<string, string>): Promise<{ dataDir: string; child: ChildProcess }>
  /** Another API process of the same service, at an address of its own. */
  startApi(env?: Record<string, string>): Promise<{ child: ChildProcess; url: string }>
  /** Resolves with the run when `condition` holds. */
  untilRun(id: number, condition: (run: RunAnswer) => boolean, ms?: number, organization?: number): Promise<RunAnswer>
  untilEnded(id: number, ms?: number, organization?: number): Promise<RunAnswer>
  log(id: number): Promise<LogAnswer[]>
  /** Resolves with the log when it has this many entries. */
  untilLogged(id: number, count: number, ms?: number): Promise<LogAnswer[]>
  /** Lets a run go on that stands in a command `untilReleased`, or in that of this name. */
  release(id: number, name?: string): void
  /** What the processes said on stderr, for a test that fails. */
  said(): string
}
export type RunAnswer = Record<string, unknown> & {
  id: number
  status: string
  result: string | null
  error: { code: string; message: string } | null
  branch: string | null
  github_pull_requests: { number: number; url: string; head_branch_name: string }[]
}
export type LogAnswer = {
  seq: number
  message_type: string
  thought: string | null
  tool_name: string | null
  tool_input: Record<string, unknown> | null
  tool_output: Record<string, unknown> | null
  observation: unknown
}

export type StartService = {
  databaseUrl: string
  role?: 'all' | 'api'
  env?: Record<string, string>
  /** Told what to do at the end; the test runner when left out. */
  defer?: (cleanUp: () => Promise<void>) => void
}

/** A command of a script that lasts until the test has seen what it wants to see, however long that takes. */
export const untilReleased = releasedBy('released')

/** Like it, for a script that stands more than once: a name for each, as a file of one name could be seen too early. */
export function releasedBy(name: string): string {
  return `until test -e .git/${name}; do sleep 0.1; done`
}

/** Starts the service in a data folder of its own; stopped and removed after the file's tests. */
export async function startService({
  databaseUrl,
  role = 'all',
  env = {},
  defer = after,
}: StartService): Promise<Service> {
  const folders: string[] = []
  const makeDataDir = () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-data-'))
    chmodSync(folder, 0o711)
    folders.push(folder)
    return folder
  }
  const dataDir = makeDataDir()
  const token = env['RUNWRIGHT_ADMIN_TOKEN'] ?? `admin-token-of-a-test-${'0'.repeat(20)}`
  const processes: ChildProcess[] = []
  let output = ''
  const start = async (
    word: string,
    more: Record<string, string> = {},
  ): Promise<{ child: ChildProcess; line: string }> => {
    const { child, ready } = startProcess(word, {
      env: {
        DATABASE_URL: databaseUrl,
        RUNWRIGHT_DATA_DIR: dataDir,
        RUNWRIGHT_ADMIN_TOKEN: token,
        ...env,
        ...more,
      },
      onSaid: (text) => (output = `${output}${text}`.slice(-20_000)),
    })
    processes.push(child)
    return { child, line: await ready }
  }
  const { line, child } = await start(role)
  const urlIn = (ready: string) => / at (http\S+),/.exec(ready)?.[1] ?? ''
  const url = urlIn(line)
  defer(async () => {
    await Promise.all(processes.map(stopProcess))
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  const ask: Service['ask'] = (method, route, body, headers = {}) =>
    fetch(url + route, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const call: Service['call'] = async (method, route, body) => {
    const response = await ask(method, route, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const organizationId = 1
  const service: Service = {
    url,
    token,
    organizationId,
    dataDir,
    ask,
    call,
    play: (script, more = {}) =>
      call('POST', `/v1/organizations/${organizationId}/agent/run`, {
        prompt: 'Play',
        agent_type: 'scripted',
        metadata: { script },
        ...more,
      }),
    child,
    startWorker: async (more) => (await start('worker', more)).child,
    startElsewhere: async (more) => {
      const elsewhere = makeDataDir()
      const { child: worker } = await start('worker', {
        RUNWRIGHT_DATA_DIR: elsewhere,
        RUNWRIGHT_GIT_URL: url,
        ...more,
      })
      return { dataDir: elsewhere, child: worker }
    },
    startApi: async (more) => {
      const { child, line } = await start('api', more)
      return { child, url: urlIn(line) }
    },
    untilRun: async (id, condition, ms = waitMsMax, organization = organizationId) => {
      const until = Date.now() + ms
      for (const pauses = new Pauses(); ; await pauses.next()) {
        const run = await call<RunAnswer>('GET', `/v1/organizations/${organization}/agent/run/${id}`)
        if (condition(run)) return run
        if (Date.now() > until) throw new Error(`run ${id} is still ${JSON.stringify(run)}\n${output}`)
      }
    },
    untilEnded: (id, ms, organization) =>
      service.untilRun(id, (run) => ['completed', 'failed', 'cancelled'].includes(run.status), ms, organization),
    log: async (id) => {
      const page = await call<{ logs: LogAnswer[] }>('GET', `/v1/organizations/${organizationId}/agent/run/${id}/logs`)
      return page.logs
    },
    untilLogged: async (id, count, ms = waitMsMax) => {
      const until = Date.now() + ms
      for (const pauses = new Pauses(); ; await pauses.next()) {
        const log = await service.log(id)
        if (log.length >= count) return log
        if (Date.now() > until) {
          const run = await service.untilRun(id, () => true)
          throw new Error(
            `run ${id} has ${log.length} entries, not ${count}: ${JSON.stringify({ run, last: log.at(-1) })}\n${output}`,
          )
        }
      }
    },
    release: (id, name = 'released') => {
      const workspace = path.join(dataDir, 'sandboxes', `run-${organizationId}-${id}`, 'workspace')
      writeFileSync(path.join(workspace, '.git', name), '')
    },
    said: () => output,
  }
  return service
}

export type StartProcess = {
  env: Record<string, string>
  onSaid: (text: string) => void
  /** Where the sources of another version are. */
  folder?: string
}

/** What starts the service: what `bin/test.ts` made of its sources where many tests run, else these themselves. */
export const serviceMain = () => process.env.RUNWRIGHT_TEST_MAIN ?? mainIn(ownFolder)

const mainIn = (folder: string) => path.join(folder, 'server/src/main.ts')

/** Starts one process of the service, as tests want it; `ready` is what it prints then, or rejects when it ends before. */
export function startProcess(
  word: string,
  { env, onSaid, folder }: StartProcess,
): { child: ChildProcess; ready: Promise<string> } {
  // As `npm start` starts Node.
  const imports = `--import=${pathToFileURL(path.join(folder ?? ownFolder, 'bin/resolve-imports.mjs')).href}`
  const words = ['--disable-warning=ExperimentalWarning', imports, folder ? mainIn(folder) : serviceMain(), word]
  const child = spawn(process.execPath, words, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      RUNWRIGHT_SCRIPTED: '1',
      RUNWRIGHT_DRAIN_SECONDS: '0',
      // Tests ask faster than people.
      RUNWRIGHT_RATE_LIMITS: 'standard=0,creation=0,logs=0,setup=0,analysis=0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-20_000)
    onSaid(chunk.toString())
  })
  return { child, ready: readyLine(child, () => output) }
}

async function readyLine(child: ChildProcess, output: () => string): Promise<string> {
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code, signal) => reject(new Error(`the service ended with ${signal ?? code}: ${output()}`))),
  )
  ended.catch(() => {})
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.includes('is ready')) resolve(line)
    })
  })
  return Promise.race([ready, ended])
}

/** Asks it to end, also where it is frozen, and makes it end when it does not. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(10_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
}
