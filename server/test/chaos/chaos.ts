// Breaks the service at random while people use it, and judges from outside what became of their runs. All flags and
// what they mean: docs/reliability.md.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundleService } from '#test/bundle-service.ts'
import { injectFault, makeFault, planFaults, type Fault } from './faults.ts'
import { judge } from './judge.ts'
import { countRareBranches } from './rare-branches.ts'
import { hasEnded } from './run-board.ts'
import { onStage, type Stage } from './stage.ts'
import { planTasks, type Task } from './workload.ts'

const forms = {
  long: { runs: 300, builtin: 30, commands: 3, entries: 200, faults: 150, every: 2_000, workers: 3, remote: 0 },
  short: { runs: 60, builtin: 6, commands: 3, entries: 60, faults: 30, every: 2_000, workers: 3, remote: 0 },
}

/** Where a rare branch was not seen, it is brought about, at most this often, by runs that have got under way. */
const extraFaultsMax = 12
const extraRuns = { runs: 6, builtin: 0, commands: 1, overMs: 0, prefix: 'extra' } as const
/** Longer after each fault, as machines differ in what they do meanwhile. */
const underWayMs = { first: 5_000, more: 2_000 }

type Options = (typeof forms)['long'] & { seed: number }

function readOptions(): Options & { keep: boolean } {
  const text = { type: 'string' } as const
  const numbers = {
    seed: text,
    runs: text,
    builtin: text,
    commands: text,
    entries: text,
    faults: text,
    every: text,
    workers: text,
    remote: text,
  }
  const { values } = parseArgs({ options: { short: { type: 'boolean' }, keep: { type: 'boolean' }, ...numbers } })
  const form = values.short ? forms.short : forms.long
  const options: Options = { ...form, seed: Math.floor(Math.random() * 2 ** 31) }
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[])
    if (values[name] !== undefined) options[name] = Number(values[name])
  return { ...options, keep: values.keep ?? false }
}

async function play(stage: Stage, options: Options): Promise<void> {
  const { random, verdicts, journal } = stage
  const { faults: count, every: everyMs } = options
  const tasks = planTasks(random, { ...options, overMs: count * everyMs * 0.9, prefix: 'task' })
  const faults = planFaults(random, { count, everyMs, hasMachines: options.remote > 0 })
  const begunAt = Date.now()
  const playing = tasks.map(async (task) => {
    await sleep(Math.max(0, begunAt + task.atMs - Date.now()))
    await stage.play(task)
  })
  // What goes wrong with one is told by who judges, and ends nothing before.
  void Promise.allSettled(playing)
  await breakAtTimes(stage, faults, begunAt)
  await bringUnseen(stage, { playing, options })
  await judge(stage, playing)
  for (const { name, times } of countRareBranches(journal))
    verdicts.check('every rare branch was seen', times > 0, () => `not seen: ${name}`)
}

async function breakAtTimes({ cluster, journal }: Stage, faults: Fault[], begunAt: number): Promise<void> {
  const injected: Promise<void>[] = []
  for (const fault of faults) {
    await sleep(Math.max(0, begunAt + fault.atMs - Date.now()))
    const injecting = injectFault(cluster, fault, journal)
    // What goes wrong with one is thrown once all were injected.
    void Promise.allSettled([injecting])
    injected.push(injecting)
  }
  await Promise.all(injected)
}

type BringUnseen = { playing: Promise<unknown>[]; options: Options }

/** Goes on with faults, and runs to suffer them, until every rare branch was seen. */
async function bringUnseen(stage: Stage, { playing, options }: BringUnseen): Promise<void> {
  const { random, journal, cluster, board, tasks, play } = stage
  for (let n = 0; n < extraFaultsMax; n++) {
    const unseen = countRareBranches(journal).filter(({ times }) => times === 0)
    if (!unseen.length) return
    await Promise.all([...cluster.apis, ...cluster.workers, ...cluster.machines].map((process) => process.untilReady()))
    if (board.all().filter((run) => !hasEnded(run)).length < extraRuns.runs) {
      for (const planned of planTasks(random, { ...extraRuns, entries: options.entries })) {
        const task: Task = {
          ...planned,
          sends: 'again later',
          reads: 'stream',
          act: null,
          paceMs: 2_000,
        }
        playing.push(play({ ...task, name: `extra-${tasks.size + 1}` }))
      }
    }
    await sleep(underWayMs.first + n * underWayMs.more)
    await injectFault(cluster, makeFault(random, random.pick(unseen).brings, 0), journal)
    await sleep(options.every)
  }
}

const { keep, ...options } = readOptions()
const flags = Object.entries(options).map(([name, value]) => `--${name} ${value}`)
console.log(`Chaos with ${flags.join(' ')}`)
process.env.RUNWRIGHT_TEST_MAIN = await bundleService()
process.exitCode = (await onStage({ ...options, keep }, (stage) => play(stage, options))) ? 0 : 1
process.exit()
