const started = new Set<() => number | undefined>()

/** A process that this one has started ends with it, also where it ends by an error of its own. Undefined once it has ended. */
export function endAtExit(pidOf: () => number | undefined): void {
  if (started.size === 0) process.once('exit', endAll)
  started.add(pidOf)
}

function endAll(): void {
  for (const pidOf of started) {
    const pid = pidOf()
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    } catch {
      // It has just ended.
    }
  }
}
