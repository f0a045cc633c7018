import type { JsonObject } from '#base/json.ts'
import type { Random } from './random.ts'

/** What one client does with one run. */
export type Task = {
  /** Unique; part of the run's prompt, so that the model and the code host can say whose request they see. */
  name: string
  agent: 'scripted' | 'builtin'
  /** When it is created, from the begin of the suite. */
  atMs: number
  /** Entries that its first turn's script makes, and what it says to be told apart. */
  entries: number
  paceMs: number
  /** Whether its script has commands, and so needs a sandbox; the others test the log alone, at a tenth of the cost. */
  hasCommands: boolean
  /** The same request is sent twice, at once or after the answer. */
  sends: 'once' | 'twice at once' | 'again later'
  reads: 'stream' | 'pages' | 'nothing'
  /** What is done once this many entries were read. */
  act: { what: 'cancel' | 'pause' | 'follow up'; after: number } | null
}

export type PlanTasks = {
  runs: number
  builtin: number
  /** Of the runs of a script, one in so many has commands. */
  commands: number
  entries: number
  overMs: number
  prefix: 'task' | 'extra'
}

/** Entries of the second turn, where there is one. */
const followUpEntries = 20

/** What the pauses of a script add up to: long enough to be broken into, short enough to end between two faults. */
const playMs = { from: 3_000, to: 10_000 }

/** The whole workload, from chance alone. */
export function planTasks(random: Random, { runs, builtin, commands, entries, overMs, prefix }: PlanTasks): Task[] {
  const agents = random.shuffled(
    Array.from({ length: runs }, (_, n) => (n < builtin ? ('builtin' as const) : ('scripted' as const))),
  )
  return agents.map((agent, n): Task => {
    const atMs = Math.round((overMs * n) / runs)
    const sends: Task['sends'] = random.isOneIn(6) ? random.pick(['twice at once', 'again later']) : 'once'
    const what = random.isOneIn(4) ? random.pick(['cancel', 'pause', 'follow up'] as const) : null
    const act = what && { what, after: random.between(1, Math.max(1, Math.floor(entries / 2))) }
    const isCancelled = what === 'cancel'
    const reads = act ? 'stream' : random.pick(['stream', 'pages', 'nothing'] as const)
    const paceMs = Math.round(random.between(playMs.from, playMs.to) / partsOf(entries, true).length)
    const name = `${prefix}-${n + 1}`
    const hasCommands = agent === 'builtin' || random.isOneIn(commands)
    const task = { name, agent, atMs, paceMs, hasCommands, sends, reads }
    if (agent === 'scripted') return { ...task, entries, act }
    // What a cancelled run leaves on its branch depends on the moment, so these are let go to their end.
    return { ...task, entries: filesOf(n), act: isCancelled ? null : act && { ...act, after: 2 } }
  })
}

/** How many files a run of the built-in agent writes. */
const filesOf = (n: number) => 3 + (n % 4)

const chunk = (entries: number) => Math.max(10, Math.ceil(entries / 40))

/** The body of the request that creates the run. */
export function bodyOf(task: Task, repoId: number): JsonObject {
  if (task.agent === 'builtin') {
    return {
      prompt: `${task.name}: write ${task.entries} files`,
      agent_type: 'builtin',
      repo_id: repoId,
      create_pull_request: true,
    }
  }
  const scripts = [scriptOf(task, 1, task.entries), scriptOf(task, 2, followUpEntries)]
  return { prompt: `${task.name}: play`, agent_type: 'scripted', metadata: { scripts } }
}

/** The name of the task that a request or a branch speaks of. */
export const taskNameOf = (text: string): string | undefined => /\b(?:task|extra)-\d+\b/.exec(text)?.[0]

export const followUpOf = (task: Task) => `${task.name}: go on`

/** Chunks of thoughts, each closed by a command that leaves its line in the work tree. */
function scriptOf(task: Task, turn: number, entries: number): JsonObject[] {
  const steps: JsonObject[] = []
  for (const { part, thoughts, hasCommand } of partsOf(entries, task.hasCommands)) {
    if (thoughts > 0) steps.push({ think: `${turn}/${part}/{n}`, repeat: thoughts })
    if (hasCommand) steps.push({ shell: `echo ${turn}/${part} >> steps.txt` })
    steps.push({ sleep_ms: task.paceMs })
  }
  return [...steps, { answer: `${task.name} is done.` }]
}

function partsOf(entries: number, hasCommands: boolean) {
  const size = chunk(entries)
  return Array.from({ length: Math.ceil(entries / size) }, (_, index) => {
    const own = Math.min(size, entries - index * size)
    const hasCommand = hasCommands && own === size
    return { part: index + 1, thoughts: hasCommand ? own - 1 : own, hasCommand }
  })
}

/** What the entries of a scripted turn say, in order. */
export function payloadsOf(task: Task, turn: number): string[] {
  return partsOf(turn === 1 ? task.entries : followUpEntries, task.hasCommands).flatMap(
    ({ part, thoughts, hasCommand }) => [
      ...Array.from({ length: thoughts }, (_, n) => `${turn}/${part}/${n + 1}`),
      ...(hasCommand ? [`${turn}/${part}`] : []),
    ],
  )
}

/** The files that a turn of the built-in agent leaves, and what is in them. */
export function writtenFilesOf(task: Task, turn: number): { path: string; content: string }[] {
  const count = turn === 1 ? task.entries : 2
  return Array.from({ length: count }, (_, n) => {
    const path = `${task.name}/turn-${turn}-file-${n + 1}.txt`
    return { path, content: `${path}\n` }
  })
}
