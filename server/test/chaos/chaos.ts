// Breaks the service while people use it, and judges from outside what became of their runs. See docs/reliability.md.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeRepository } from '#test/example-repository.ts'
import { startAgentModel } from './agent-model.ts'
import { checkRuns, checkUnchanged, readEnded } from './check-runs.ts'
import { checkWork, countModelCalls } from './check-work.ts'
import { openClient, type Client } from './client.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { watchHost } from './code-host.ts'
import { injectFault, makeFault, planFaults, type Fault } from './faults.ts'
import { findLeftovers } from './find-leftovers.ts'
import { openJournal, type Journal } from './journal.ts'
import { playTask, type PlayTask } from './play-task.ts'
import { seededRandom, type Random } from './random.ts'
import { countRareBranches } from './rare-branches.ts'
import { hasEnded, watchRuns, type RunBoard } from './run-board.ts'
import { openVerdicts, printVerdicts, type Verdicts } from './verdict.ts'
import { planTasks, type Task } from './workload.ts'

const forms = {
  long: { runs: 300, builtin: 30, entries: 200, faults: 150, every: 2_000, workers: 3 },
  short: { runs: 60, builtin: 6, entries: 60, faults: 30, every: 2_000, workers: 3 },
}

/** After the last fault, every run has ended within this; what they have left is gone within that. */
const endMsMax = 120_000
const leftoverMs = 30_000
/** Where a rare branch was not seen, it is brought about, at most this often. */
const extraFaultsMax = 24
const extraRuns = { runs: 6, builtin: 0, overMs: 0, prefix: 'extra' } as const

type Options = (typeof forms)['long'] & { seed: number }

function readOptions(): Options & { keep: boolean } {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean' },
      keep: { type: 'boolean' },
      seed: text,
      runs: text,
      builtin: text,
      entries: text,
      faults: text,
      every: text,
      workers: text,
    },
  })
  const options: Options = { ...(values.short ? forms.short : forms.long), seed: Math.floor(Math.random() * 2 ** 31) }
  for (const name of ['seed', 'runs', 'builtin', 'entries', 'faults', 'every', 'workers'] as const)
    if (values[name] !== undefined) options[name] = Number(values[name])
  return { ...options, keep: values.keep ?? false }
}

type Stage = {
  options: Options
  random: Random
  cluster: Cluster
  client: Client
  board: RunBoard
  journal: Journal
  playing: PlayTask
  /** All tasks by name, those that are added on the way too. */
  tasks: Map<string, Task>
  unfinished: Set<Task>
}

async function main(): Promise<boolean> {
  const { keep, ...options } = readOptions()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-chaos-'))
  chmodSync(folder, 0o711)
  console.log(
    `Chaos with ${Object.entries(options)
      .map(([name, value]) => `--${name} ${value}`)
      .join(' ')}; its journal is ${folder}/journal.ndjson`,
  )
  const verdicts = openVerdicts()
  let isKept = false
  try {
    await using stack = new AsyncDisposableStack()
    await playAndJudge(stack, { options, folder, verdicts })
    isKept = printVerdicts(verdicts.all())
  } finally {
    if (isKept && !keep) rmSync(folder, { recursive: true, force: true })
  }
  console.log(isKept ? 'Every promise was kept.' : `Something was broken; see ${folder}.`)
  return isKept
}

type PlayAndJudge = { options: Options; folder: string; verdicts: Verdicts }

async function playAndJudge(stack: AsyncDisposableStack, { options, folder, verdicts }: PlayAndJudge): Promise<void> {
  const journal = openJournal(path.join(folder, 'journal.ndjson'))
  stack.defer(() => journal.close())
  const random = seededRandom(options.seed)
  const overMs = options.faults * options.every * 0.9
  const tasks = new Map(planTasks(random, { ...options, overMs, prefix: 'task' }).map((task) => [task.name, task]))
  const faults = planFaults(random, { count: options.faults, everyMs: options.every })
  const model = stack.use(await startAgentModel(tasks, journal))
  const repository = makeRepository({ 'README.md': 'Many hands.\n' })
  stack.defer(() => rmSync(repository, { recursive: true, force: true }))
  const cluster = await startCluster(stack, {
    folder,
    workers: options.workers,
    env: {
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'none',
      RUNWRIGHT_IMPORT_PATHS: repository,
      RUNWRIGHT_WORKER_SLOTS: '8',
    },
    journal,
    onLine: (name, line) => hear(journal, name, line),
  })
  const client = openClient({
    addresses: cluster.addresses,
    token: cluster.token,
    journal,
    random: seededRandom(options.seed + 1),
  })
  const repoId = await prepare(client, repository)
  const host = watchHost(client, { repoName: 'work', journal })
  const board = watchRuns(client, journal)
  const stage: Stage = {
    options,
    random,
    cluster,
    client,
    board,
    journal,
    tasks,
    unfinished: new Set(),
    playing: { client, journal, board, repoId },
  }
  const lastFaultAt = await breakAndUse(stage, faults, verdicts)
  await host.stop()
  const endedAt = Date.now()
  console.log(`All ended ${Math.round((endedAt - lastFaultAt) / 1_000)} s after the last fault.`)
  const ended = await readEnded(tasks, client, journal)
  checkRuns(ended, { journal, verdicts })
  await checkWork(ended, { client, host, journal, verdicts, folder })
  await sleep(Math.max(0, endedAt + leftoverMs - Date.now()))
  const left = findLeftovers(cluster)
  verdicts.check('30 s after the end no sandbox, process, mount or temporary file is left', left.length === 0, () =>
    left.slice(0, 5).join('; '),
  )
  await checkUnchanged(ended, { client, verdicts })
  await board.stop()
  report(stage, verdicts)
}

/** Keeps what the service says of itself where it is of use as a fact. */
function hear(journal: Journal, name: string, line: string): void {
  if (!line.startsWith('{')) return
  const { msg: message = '', runId, reason } = JSON.parse(line) as { msg?: string; runId?: number; reason?: string }
  journal.write({ kind: 'said', name, message, ...(runId && { runId }), ...(reason && { reason }) })
}

async function prepare(client: Client, repository: string): Promise<number> {
  const limited = await client.ask('PATCH', '', { body: { limits: { max_running: 1_000 } } })
  if (limited.status !== 200) throw new Error(`the organization was not configured: ${JSON.stringify(limited)}`)
  const { status, body } = await client.ask('POST', '/repos', { body: { name: 'work', import_from: repository } })
  if (status !== 201) throw new Error(`the repository was not made: ${status} ${JSON.stringify(body)}`)
  return body['id'] as number
}

/** Plays all tasks while faults come; then waits until all have ended. Answers when the last fault was. */
async function breakAndUse(stage: Stage, faults: Fault[], verdicts: Verdicts): Promise<number> {
  const begunAt = Date.now()
  const playing = [...stage.tasks.values()].map((task) => playAt(stage, task, begunAt))
  const injected: Promise<void>[] = []
  for (const fault of faults) {
    await sleep(Math.max(0, begunAt + fault.atMs - Date.now()))
    injected.push(injectFault(stage.cluster, fault, stage.journal))
  }
  await Promise.all(injected)
  await bringUnseen(stage, playing)
  const lastFaultAt = Date.now()
  const inTime = sleep(endMsMax, 'late' as const, { ref: false })
  const late = (await Promise.race([Promise.all(playing), inTime])) === 'late'
  verdicts.check(
    'every run has ended, and everybody knows, 120 s after the last fault',
    !late,
    () =>
      `unfinished: ${JSON.stringify([...stage.unfinished])}; open: ${JSON.stringify(stage.board.all().filter((run) => !hasEnded(run)))}`,
  )
  return lastFaultAt
}

async function playAt({ playing, unfinished }: Stage, task: Task, begunAt: number): Promise<void> {
  unfinished.add(task)
  await sleep(Math.max(0, begunAt + task.atMs - Date.now()))
  await playTask(task, playing)
  unfinished.delete(task)
}

/** Goes on with faults, and runs to suffer them, until every rare branch was seen. */
async function bringUnseen(stage: Stage, playing: Promise<void>[]): Promise<void> {
  const { random, journal, cluster, options } = stage
  for (let n = 0; n < extraFaultsMax; n++) {
    const unseen = countRareBranches(journal).filter(({ times }) => times === 0)
    if (!unseen.length) return
    if (stage.board.all().filter((run) => !hasEnded(run)).length < extraRuns.runs) addRuns(stage, playing)
    await sleep(options.every)
    await injectFault(cluster, makeFault(random, random.pick(unseen).brings, 0), journal)
    await sleep(options.every)
  }
}

function addRuns(stage: Stage, playing: Promise<void>[]): void {
  const { random, options, tasks } = stage
  for (const planned of planTasks(random, { ...extraRuns, entries: options.entries })) {
    const task: Task = { ...planned, name: `extra-${tasks.size + 1}`, sends: 'again later', reads: 'stream', act: null }
    tasks.set(task.name, task)
    playing.push(playAt(stage, task, Date.now()))
  }
}

function report({ journal, options }: Stage, verdicts: Verdicts): void {
  const faults = journal.read('fault').filter(({ victim }) => victim !== 'nobody was up')
  const kinds = [...new Set(faults.map(({ fault }) => fault))].toSorted()
  console.log(
    `${faults.length} faults: ${kinds.map((kind) => `${faults.filter(({ fault }) => fault === kind).length} x ${kind}`).join(', ')}.`,
  )
  const { made, repeated } = countModelCalls(journal)
  console.log(`${options.runs} runs planned; ${made} model calls, ${repeated} of them repeated.`)
  for (const { name, times } of countRareBranches(journal)) {
    console.log(`${String(times).padStart(6)} times: ${name}`)
    verdicts.check('every rare branch was seen', times > 0, () => `not seen: ${name}`)
  }
}

process.exitCode = (await main()) ? 0 : 1
process.exit()
