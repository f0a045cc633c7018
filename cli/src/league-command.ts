import type { Command } from 'commander'
import { readTasks, type Task } from './read-tasks.ts'
import { runTask, type Entrant, type LeagueRun } from './run-task.ts'
import { summarizeLeague, type Standing } from './summarize-league.ts'
import { printJson, printLine, quiet, visible } from './print.ts'
import { UsageError, type Settings } from './settings.ts'

type Options = { engine?: string[]; model?: string[]; times: string; task?: string[]; json?: boolean }

/** Tasks that are done at once; more would mostly wait for a slot, and ask for more than a token may. */
const atOnceMax = 3
const timesMax = 100

export function addLeagueCommand(program: Command, settings: () => Settings): void {
  program
    .command('league')
    .description('run a folder of tasks with several engines or models, and compare how many they solve')
    .argument('<folder>', 'a folder of tasks, such as examples/league')
    .option('--engine <names...>', 'the engines to compare, such as builtin repair')
    .option('--model <names...>', 'the models to compare, with each engine')
    .option('--times <number>', 'how often each does each task', '3')
    .option('--task <names...>', 'only these tasks')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: Options) => run(settings(), folder, options))
}

async function run(settings: Settings, folder: string, options: Options): Promise<void> {
  const tasks = readTasks(folder, options.task ?? [])
  const entrants = entrantsOf(options)
  const times = readTimes(options.times)
  if (entrants.length * times < 2)
    throw new UsageError('There is nothing to compare. Name another --engine or --model, or raise --times.')
  const organizationId = await settings.organizationId()
  const runs = await runAll(tasks, async (task) => {
    const done = await runTask(settings, { organizationId, task, entrants, times })
    if (!options.json) for (const one of done) printLine(lineOf(one))
    return done
  })
  const standings = summarizeLeague(runs)
  if (options.json) return printJson({ contestants: standings, runs })
  printLine()
  for (const line of tableOf(standings)) printLine(line)
}

function entrantsOf({ engine = [], model = [] }: Options): Entrant[] {
  const engines = engine.length > 0 ? engine : [undefined]
  const models = model.length > 0 ? model : [undefined]
  return engines.flatMap((engine) => models.map((model) => ({ engine, model })))
}

function readTimes(text: string): number {
  const times = Number(text)
  if (Number.isInteger(times) && times >= 1 && times <= timesMax) return times
  throw new UsageError(`--times must be a whole number from 1 to ${timesMax}, not "${text}".`)
}

/** A few at once, in the order of the tasks. */
async function runAll(tasks: readonly Task[], act: (task: Task) => Promise<LeagueRun[]>): Promise<LeagueRun[]> {
  const waiting = [...tasks.entries()]
  const results: LeagueRun[][] = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await act(next[1])
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
  return results.flat()
}

function lineOf({ task, contestant, solved, status, web_url: url }: LeagueRun): string {
  const end = solved ? 'solved' : status === 'completed' ? 'not solved' : status
  return `${task}  ${visible(contestant)}  ${end}  ${quiet(url)}`
}

const heads = ['Contestant', 'Solved', '95 % interval', 'Median time', 'Median cost', 'Median tokens']

function tableOf(standings: readonly Standing[]): string[] {
  const table = [heads, ...standings.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)))
  return table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

function cellsOf(standing: Standing): string[] {
  const {
    contestant,
    solved,
    runs,
    interval,
    median_seconds: seconds,
    median_cost_usd: usd,
    median_tokens: tokens,
  } = standing
  return [
    visible(contestant),
    `${solved} of ${runs}`,
    `${percent(interval.low)} to ${percent(interval.high)}`,
    seconds === null ? '-' : `${seconds.toFixed(1)} s`,
    usd === null ? '-' : `$${usd.toFixed(4)}`,
    tokens === null ? '-' : String(Math.round(tokens)),
  ]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
