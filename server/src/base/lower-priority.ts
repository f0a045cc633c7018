import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Whoever waits for an answer of ours comes before what this process works out: it gets about a third of the processor
 * time that one of the service gets when cores are short, and all that it can use otherwise. What it starts inherits it.
 */
export function lowerPriority({ pid }: Pick<ChildProcess, 'pid'>, { hasOwnSession = false } = {}): void {
  if (pid === undefined) return
  try {
    setPriority(pid, nice)
    // Where the kernel shares out by sessions, a process's own value counts within its session alone (sched(7)).
    if (hasOwnSession) writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {
    // It has ended already, or the machine does not let us, or has no such sharing.
  }
}

const nice = 5
