import { rm, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Cluster } from './cluster.ts'
import type { Journal } from './journal.ts'
import type { Random } from './random.ts'
import type { ServiceProcess } from './service-process.ts'

/** One of these every time. */
export const kills = ['kill api', 'kill worker', 'kill postgres'] as const
/** One of these besides, less often. */
export const disturbances = [
  'freeze worker',
  'drain worker',
  'restart api',
  'cut clients',
  'swallow database',
  'lose folder',
] as const
/** Where there are machines of remote workers, these as well. */
export const remoteKills = ['kill machine'] as const
export const remoteDisturbances = ['freeze machine', 'drain machine', 'cut machines', 'silence machines'] as const
export type FaultKind = (typeof kills | typeof disturbances | typeof remoteKills | typeof remoteDisturbances)[number]

export type Fault = {
  kind: FaultKind
  atMs: number
  /** From 0 to below 1: whom of those who are there. */
  choice: number
  /** How long the victim is away. */
  awayMs: number
}

/** Disturbances come this many times less often than kills. */
const disturbanceEvery = 3
/** A lease lasts 6 s: a worker that was frozen for longer has been taken over when it wakes. */
const frozenMs = { from: 7_000, to: 10_000 }
/** After eight seconds without a word both sides end a connection, so some of them stay and some do not. */
const silentMs = { from: 2_000, to: 12_000 }

type PlanFaults = { count: number; everyMs: number; hasMachines: boolean }

/** The whole schedule, from chance alone. Each kind comes once before any comes again. */
export function planFaults(random: Random, { count, everyMs, hasMachines }: PlanFaults): Fault[] {
  const inRounds = <T>(kinds: readonly T[], request: number): T[] => {
    const rounds: T[] = []
    while (rounds.length < request) rounds.push(...random.shuffled(kinds))
    return rounds.slice(0, request)
  }
  const at = (kinds: FaultKind[], stepMs: number) =>
    kinds.map((kind, n) => makeFault(random, kind, Math.round((n + 1) * stepMs)))
  const others = Math.ceil(count / disturbanceEvery)
  const often: FaultKind[] = hasMachines ? [...kills, ...remoteKills] : [...kills]
  const seldom: FaultKind[] = hasMachines ? [...disturbances, ...remoteDisturbances] : [...disturbances]
  return [...at(inRounds(often, count), everyMs), ...at(inRounds(seldom, others), everyMs * disturbanceEvery)].sort(
    (one, other) => one.atMs - other.atMs,
  )
}

export function makeFault(random: Random, kind: FaultKind, atMs: number): Fault {
  const { from, to } = awayOf(kind)
  const awayMs = random.between(from, to)
  return { kind, atMs, choice: random.next(), awayMs }
}

function awayOf(kind: FaultKind): { from: number; to: number } {
  if (kind === 'silence machines') return silentMs
  return kind.startsWith('freeze') ? frozenMs : { from: 200, to: 1_500 }
}

/** Does it. Resolves when what it did is over, as far as the suite has a hand in it. */
export async function injectFault(cluster: Cluster, { kind, choice, awayMs }: Fault, journal: Journal): Promise<void> {
  const note = (victim: string) => journal.write({ kind: 'fault', fault: kind, victim })
  const pick = (processes: ServiceProcess[]) => {
    const up = processes.filter((process) => process.isUp)
    const victim = up[Math.floor(choice * up.length)]
    note(victim?.name ?? 'nobody was up')
    return victim
  }
  switch (kind) {
    case 'kill api':
      return pick(cluster.apis)?.end('SIGKILL', { restartMs: awayMs })
    case 'restart api':
      return pick(cluster.apis)?.end('SIGTERM', { restartMs: awayMs })
    case 'kill worker':
      return pick(cluster.workers)?.end('SIGKILL', { restartMs: awayMs })
    case 'drain worker':
      return pick(cluster.workers)?.end('SIGTERM', { restartMs: awayMs })
    case 'freeze worker':
      return pick(cluster.workers)?.freeze(awayMs)
    case 'kill machine':
      return pick(cluster.machines)?.end('SIGKILL', { restartMs: awayMs })
    case 'drain machine':
      return pick(cluster.machines)?.end('SIGTERM', { restartMs: awayMs })
    case 'freeze machine':
      return pick(cluster.machines)?.freeze(awayMs)
    case 'cut machines':
      note('all')
      return cluster.machinesProxy?.cut()
    case 'silence machines':
      note('all')
      return cluster.machinesProxy?.silence(awayMs)
    case 'swallow database':
      return pick([...cluster.apis, ...cluster.workers])?.database?.swallow()
    case 'cut clients':
      note('all')
      for (const proxy of cluster.proxies) proxy.cut()
      return
    case 'kill postgres': {
      if (!cluster.postgres.isUp()) return note('nobody was up')
      const signal = choice < 0.5 ? 'SIGKILL' : 'SIGQUIT'
      note(signal)
      return cluster.postgres.crash(signal, journal)
    }
    case 'lose folder':
      // The last worker is alone on its machine, as each remote one is.
      return loseFolder(pick(cluster.machines.length > 0 ? cluster.machines : cluster.workers.slice(-1)), awayMs)
  }
}

/** A machine breaks and comes back empty, as a new one would. */
async function loseFolder(victim: ServiceProcess | undefined, restartMs: number): Promise<void> {
  if (!victim) return
  await victim.end('SIGKILL', { restartMs })
  await deleteSandboxes(victim.dataDir)
}

export async function deleteSandboxes(dataDir: string): Promise<void> {
  const sandboxes = path.join(dataDir, 'sandboxes')
  await mkdir(sandboxes, { recursive: true })
  // What was just killed may still write for a moment.
  const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }
  for (const name of await readdir(sandboxes)) await rm(path.join(sandboxes, name), options)
}
