import { readFileSync } from 'node:fs'

/** What Linux says of a process in `/proc/<pid>/stat` (proc_pid_stat(5)). */
export type ProcessStat = {
  parent: number
  /** In ticks since the machine started: tells it from a later process of the same number. */
  startTime: string
  /** It has ended, and its parent has not collected it. */
  hasEnded: boolean
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
  return { parent: Number(parent), startTime: rest[17] ?? '', hasEnded: state === 'Z' || state === 'X' }
}

/** Empty where it is not known, or where the process has ended. */
export function startTimeOf(pid: number): string {
  const stat = readProcess(pid)
  return stat && !stat.hasEnded ? stat.startTime : ''
}
