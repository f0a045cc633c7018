import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeRepository } from '#test/example-repository.ts'
import { startAgentModel } from './agent-model.ts'
import { openClient, type Client } from './client.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { watchHost, type WatchedHost } from './code-host.ts'
import { openJournal, type Journal } from './journal.ts'
import { playTask } from './play-task.ts'
import { seededRandom, type Random } from './random.ts'
import { watchRuns, type RunBoard } from './run-board.ts'
import { openVerdicts, printVerdicts, type Verdicts } from './verdict.ts'
import type { Task } from './workload.ts'

/** The service, those who use it, and what they write down. */
export type Stage = {
  random: Random
  cluster: Cluster
  client: Client
  board: RunBoard
  host: WatchedHost
  journal: Journal
  verdicts: Verdicts
  folder: string
  /** All tasks by name. */
  tasks: Map<string, Task>
  unfinished: Set<Task>
  /** The process that holds a run, as far as its words tell. */
  holders: Map<number, string>
  /** Has a task played; resolves when it is over. */
  play(task: Task): Promise<number>
}

export type StageOptions = { seed: number; workers: number; remote?: number; slots?: number; keep?: boolean }

/** Opens a stage, has something happen on it, and prints the verdicts. Answers whether all promises were kept. */
export async function onStage(options: StageOptions, act: (stage: Stage) => Promise<void>): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-chaos-'))
  chmodSync(folder, 0o711)
  console.log(`The journal is ${folder}/journal.ndjson.`)
  const verdicts = openVerdicts()
  let isKept = false
  try {
    await using stack = new AsyncDisposableStack()
    const acting = openStage(stack, { ...options, folder, verdicts }).then(act)
    await Promise.race([acting, toldToEnd()])
    isKept = printVerdicts(verdicts.all())
  } finally {
    if (isKept && !options.keep) rmSync(folder, { recursive: true, force: true })
  }
  console.log(isKept ? 'Every promise was kept.' : `Something was broken; see ${folder}.`)
  return isKept
}

/** Whoever ends the suite early ends all its processes. */
async function toldToEnd(): Promise<never> {
  const signal = await Promise.race(
    (['SIGINT', 'SIGTERM'] as const).map((name) => once(process, name).then(() => name)),
  )
  throw new Error(`The suite was told to end (${signal}).`)
}

type OpenStage = StageOptions & { folder: string; verdicts: Verdicts }

async function openStage(stack: AsyncDisposableStack, options: OpenStage): Promise<Stage> {
  const { seed, workers, remote = 0, slots = 8, folder, verdicts } = options
  const journal = openJournal(path.join(folder, 'journal.ndjson'))
  stack.defer(() => journal.close())
  const tasks = new Map<string, Task>()
  const holders = new Map<number, string>()
  const unfinished = new Set<Task>()
  const model = stack.use(await startAgentModel(tasks, journal))
  const repository = makeRepository({ 'README.md': 'Many hands.\n' })
  stack.defer(() => rmSync(repository, { recursive: true, force: true }))
  const env = {
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'none',
    RUNWRIGHT_IMPORT_PATHS: repository,
    RUNWRIGHT_WORKER_SLOTS: String(slots),
  }
  const onLine = (name: string, line: string) => hear(line, name, { journal, holders })
  const cluster = await startCluster(stack, { folder, workers, remote, env, journal, onLine })
  const { addresses, token } = cluster
  const client = openClient({ addresses, token, journal, random: seededRandom(seed + 1) })
  const repoId = await prepare(client, repository)
  const host = watchHost(client, { repoName: 'work', journal })
  const board = watchRuns(client, journal)
  return {
    random: seededRandom(seed),
    cluster,
    client,
    board,
    host,
    journal,
    verdicts,
    folder,
    tasks,
    unfinished,
    holders,
    play: (task) => {
      tasks.set(task.name, task)
      unfinished.add(task)
      const playing = playTask(task, { client, journal, board, repoId })
      // Whoever waits for it hears of what went wrong; until then it ends nothing.
      playing.then(
        () => unfinished.delete(task),
        () => {},
      )
      return playing
    },
  }
}

type Hear = { journal: Journal; holders: Map<number, string> }
type Words = { msg?: string; runId?: number; reason?: string }

/** Keeps what the service says of itself where it is of use as a fact. */
function hear(line: string, name: string, { journal, holders }: Hear): void {
  if (!line.startsWith('{')) return
  const { msg: message = '', runId, reason } = JSON.parse(line) as Words
  if (runId && (message === 'run claimed' || message === 'run taken over')) holders.set(runId, name)
  journal.write({ kind: 'said', name, message, ...(runId && { runId }), ...(reason && { reason }) })
}

async function prepare(client: Client, repository: string): Promise<number> {
  const limited = await client.ask('PATCH', '', { body: { limits: { max_running: 1_000 } } })
  if (limited.status !== 200) throw new Error(`the organization was not configured: ${JSON.stringify(limited)}`)
  const { status, body } = await client.ask('POST', '/repos', { body: { name: 'work', import_from: repository } })
  if (status !== 201) throw new Error(`the repository was not made: ${status} ${JSON.stringify(body)}`)
  return body['id'] as number
}
