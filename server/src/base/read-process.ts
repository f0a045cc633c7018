import { readFileSync } from 'node:fs'

/** What Linux says of a process in `/proc/<pid>/stat` (proc_pid_stat(5)). */
export type ProcessStat = {
  parent: number
  /** In ticks since the machine started: tells it from a later process of the same number. */
  startTime: string
  /** It has ended, and its parent has not collected it. */
  hasEnded: boolean
  /** Processor time that it took itself, and that of its children which have ended and were collected; in ticks. */
  ticks: number
  ticksOfEnded: number
}

/** Undefined where there is no such process, or no /proc. */
export function readProcess(pid: number): ProcessStat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The name in brackets may itself hold spaces and brackets.
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9, 13).map(Number)
  return {
    parent: Number(parent),
    startTime: rest[17] ?? '',
    hasEnded: state === 'Z' || state === 'X',
    ticks: user + system,
    ticksOfEnded: endedUser + endedSystem,
  }
}

/** Empty where it is not known, or where the process has ended. */
export function startTimeOf(pid: number): string {
  const stat = readProcess(pid)
  return stat && !stat.hasEnded ? stat.startTime : ''
}
