import { existsSync, readFileSync } from 'node:fs'

const mountedAt = '/sys/fs/cgroup'

/** The control groups that a container is in, as this machine shows them. */
export type FoundGroup = {
  /** Undefined where there is none. */
  memoryBytes: number | undefined
  processes: number | undefined
  cpuWeight: number | undefined
  outOfMemoryKills(): number
}

/**
 * Null where the number is another process's here, because the engine runs on another side of a boundary. What is
 * accepted by an engine is not always held, so it is the groups that are looked at.
 */
export function findGroup(pid: number, containerId: string): FoundGroup | null {
  const lines = read(`/proc/${pid}/cgroup`)
  // gVisor may make no groups and names the container in its command line.
  const names = [lines, read(`/proc/${pid}/mountinfo`), read(`/proc/${pid}/cmdline`)]
  if (!names.some((text) => text.includes(containerId))) return null
  const pathOf = (controller: string) =>
    lines
      .split('\n')
      .map((line) => line.split(':'))
      .find(([, names = '']) => names.split(',').includes(controller))?.[2] ?? null
  const isVersion2 = existsSync(`${mountedAt}/cgroup.controllers`)
  const file = (controller: string, name: string, nameInVersion2: string) => {
    const own = pathOf(isVersion2 ? '' : controller)
    // The group of the whole machine, or of somebody else, limits no container.
    if (own === null || !own.includes(containerId)) return null
    return isVersion2 ? `${mountedAt}${own}/${nameInVersion2}` : `${mountedAt}/${controller}${own}/${name}`
  }
  const number = (name: string | null) => (name === null ? undefined : Number(read(name).trim() || Number.NaN))
  const kills = file('memory', 'memory.oom_control', 'memory.events')
  let seen = 0
  return {
    memoryBytes: number(file('memory', 'memory.limit_in_bytes', 'memory.max')),
    processes: number(file('pids', 'pids.max', 'pids.max')),
    cpuWeight: number(file('cpu', 'cpu.shares', 'cpu.weight')),
    outOfMemoryKills: () => {
      // The group goes with the container, so the last that was seen counts.
      if (kills !== null) seen = Math.max(seen, Number(/^oom_kill (\d+)/m.exec(read(kills))?.[1] ?? 0))
      return seen
    },
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
