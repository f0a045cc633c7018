// The queue: how soon a run is picked up, and how many that do nothing come through in a second.
import type pg from 'pg'
import { installControls } from './install-controls.ts'
import { middle } from './percentile.ts'
import { benchPickup } from './queue/pickup.ts'
import { benchThroughput, clients, joiners, slots, type Round } from './queue/throughput.ts'

export type BenchQueue = { pool: pg.Pool; databaseUrl: string; defer: (work: () => Promise<void>) => void }

/** Lines of the report. */
export async function benchQueue(options: BenchQueue): Promise<string[]> {
  const { ours, control, ratio } = await benchPickup(options)
  return [
    '| What | ours p50 | control | ours against control | wanted |',
    '|---|---|---|---|---|',
    `| an accepted run is claimed by a worker, from commit to commit | ${ours.toFixed(2)} ms | bare INSERT + NOTIFY, LISTEN + SKIP LOCKED: ${control.toFixed(2)} ms | ${ratio.toFixed(2)}x | ≤ 1.7x${missed(ratio > 1.7)} |`,
    '',
    ...(await throughputLines(options)),
    '',
  ]
}

async function throughputLines(options: BenchQueue): Promise<string[]> {
  const whyNot = await installControls('queue')
  if (whyNot) return [`Runs that do nothing were not measured: the controls could not be installed (${whyNot}).`]
  const done = await benchThroughput(options)
  const row = (what: string, { ours, control, named, wanted: request }: Row) => {
    const each = (name: keyof Round) => Math.round(middle(done.map((round) => round[name])))
    const ratio = middle(done.map((round) => round[ours] / round[control]))
    return `| ${what} | ${each(ours)}/s | ${named}: ${each(control)}/s | ${ratio.toFixed(2)}x | ≥ ${request}x${missed(ratio < request)} |`
  }
  const pgBoss = { control: 'pgBoss', named: 'pg-boss alone, without HTTP', wanted: 0.4 } as const
  const langGraph = { control: 'langGraph', named: 'LangGraph server of npm, in memory', wanted: 5 } as const
  const joined = `the same, each of ${joiners} clients waiting for the end of its run before it creates the next`
  const many = `runs that do nothing, created over HTTP by ${clients} clients, each of its own organization; ${slots} slots`
  return [
    '| What | ours | control | ours against control | wanted |',
    '|---|---|---|---|---|',
    row(many, { ours: 'ours', ...pgBoss }),
    row(many, { ours: 'ours', ...langGraph }),
    row(joined, { ours: 'oursJoined', ...langGraph, control: 'langGraphJoined' }),
    row('the same, all of one organization', { ours: 'oursOfOne', ...pgBoss }),
    row('the same, all of one organization', { ours: 'oursOfOne', ...langGraph }),
  ]
}

type Row = { ours: keyof Round; control: keyof Round; named: string; wanted: number }

const missed = (isMissed: boolean) => (isMissed ? ', missed' : '')
