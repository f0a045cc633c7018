import path from 'node:path'
import type { SandboxLimits } from '#adapters/sandboxes/sandbox.ts'
import type { EnforcementReport } from '#base/enforcement.ts'
import type { EngineFacts } from './engine.ts'
import type { FoundGroup } from './find-group.ts'

/** What gives each container a kernel of its own, which counts processes as it likes. */
const ownKernelRuntimes = ['runsc', 'kata', 'krun']

export function hasOwnKernel({ facts, runtime }: Pick<EnforcementOf, 'facts' | 'runtime'>): boolean {
  const name = path.basename(runtime ?? facts.defaultRuntime ?? '')
  return ownKernelRuntimes.some((one) => name.startsWith(one))
}

type EnforcementOf = {
  facts: EngineFacts
  runtime: string | null
  /** Null where this machine does not show the container's processes. */
  group: FoundGroup | null
  limits: SandboxLimits
}

/** What holds a container's limits: as its control groups show, or, where they cannot be seen, as the engine says. */
export function enforcementOf({ facts, runtime, group, limits }: EnforcementOf): EnforcementReport {
  // Without version 2 a rootless engine accepts limits and ignores them, and gVisor may be told to make no groups.
  const countsForItself = hasOwnKernel({ facts, runtime })
  const isBelievable = (!facts.isRootless || facts.cgroupVersion === '2') && !countsForItself
  const claims = (limit: keyof EngineFacts['holds']) => isBelievable && facts.holds[limit]
  const isMemoryHeld = group ? (group.memoryBytes ?? Infinity) <= limits.memoryBytes : claims('memory')
  const isCpuHeld = group ? group.cpuWeight !== undefined && !Number.isNaN(group.cpuWeight) : claims('cpu')
  const areProcessesHeld = group ? (group.processes ?? Infinity) < Infinity : claims('processes')
  return {
    memory: isMemoryHeld ? 'kernel' : group && !countsForItself ? 'polled' : 'none',
    cpu: isCpuHeld ? 'kernel' : 'none',
    processes: areProcessesHeld && !countsForItself ? 'kernel' : 'none',
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
