import type { SandboxLimits } from '#adapters/sandboxes/sandbox.ts'
import type { EnforcementReport } from '#base/enforcement.ts'
import type { EngineFacts } from './engine.ts'
import type { FoundGroup } from './find-group.ts'

/** Kernels of their own count processes as they like. */
const ownKernelRuntimes = ['runsc', 'kata', 'krun']

type EnforcementOf = {
  facts: EngineFacts
  runtime: string | null
  /** Null where this machine does not show the container's processes. */
  group: FoundGroup | null
  limits: SandboxLimits
}

/** What holds a container's limits: as its control groups show, or, where they cannot be seen, as the engine says. */
export function enforcementOf({ facts, runtime, group, limits }: EnforcementOf): EnforcementReport {
  // Without version 2 a rootless engine accepts limits and ignores them.
  const isBelievable = !facts.isRootless || facts.cgroupVersion === '2'
  const claims = (limit: keyof EngineFacts['holds']) => isBelievable && facts.holds[limit]
  const isMemoryHeld = group ? (group.memoryBytes ?? Infinity) <= limits.memoryBytes : claims('memory')
  const isCpuHeld = group ? group.cpuWeight !== undefined && !Number.isNaN(group.cpuWeight) : claims('cpu')
  const areProcessesHeld = group ? (group.processes ?? Infinity) < Infinity : claims('processes')
  const countsForItself = ownKernelRuntimes.some((name) => runtime?.includes(name))
  return {
    memory: isMemoryHeld ? 'kernel' : group ? 'polled' : 'none',
    cpu: isCpuHeld ? 'kernel' : 'none',
    processes: countsForItself ? 'none' : areProcessesHeld || facts.isRootless ? 'kernel' : 'none',
    disk: 'polled',
    network: 'kernel',
    kill: 'kernel',
  }
}

/** Before anything was started. */
export const nothingHeld: EnforcementReport = {
  memory: 'none',
  cpu: 'none',
  processes: 'none',
  disk: 'polled',
  network: 'kernel',
  kill: 'kernel',
}
