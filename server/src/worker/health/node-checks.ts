import type { App } from '#app/app.ts'
import { nodeFaults, type NodeFault } from '#domain/runs/workers/node-fault.ts'
import { healthLimits } from './health-limits.ts'
import { lookAtDisk } from './look-at-disk.ts'
import { NodeUnfit } from './node-unfit.ts'

export type NodeCheck = {
  /** The fault that it shows where the error says nothing more exact. */
  fault: NodeFault
  /** Rejects where the machine is unfit. */
  look: () => Promise<void>
  /** What it found counts for so long; undefined: until it is doubted. */
  keptMs: number | undefined
  /** So soon after it found a fault it looks again. */
  againMs: number
  /** Cheap and on this machine: looked at before a claim. The others are looked at beside them. */
  isQuick: boolean
}

/** What a machine needs to work at runs. */
export function nodeChecks(app: App): NodeCheck[] {
  const { blobs, reachGit, remote } = app
  const outside = { keptMs: healthLimits.outsideKeptMs, againMs: healthLimits.keptMs, isQuick: false }
  return [
    {
      fault: 'disk_fault',
      look: () => lookAtDisk(app),
      keptMs: healthLimits.keptMs,
      againMs: healthLimits.keptMs,
      isQuick: true,
    },
    ...(remote
      ? [
          {
            fault: 'disk_fault',
            look: () => lookThere(remote),
            keptMs: healthLimits.keptMs,
            againMs: healthLimits.keptMs,
            isQuick: true,
          } as const,
        ]
      : []),
    { fault: 'blobs_unreachable', look: () => blobs.probe(), ...outside },
    ...(reachGit ? [{ fault: 'git_unreachable', look: reachGit, ...outside } as const] : []),
    {
      fault: 'sandbox_failed',
      look: () => lookAtSandboxes(app),
      keptMs: undefined,
      againMs: healthLimits.sandboxKeptMs,
      isQuick: false,
    },
  ]
}

/** At the disk of a remote worker. */
async function lookThere(remote: NonNullable<App['remote']>): Promise<void> {
  const found = await remote.lookAtDisk()
  const fault = (Object.keys(nodeFaults) as NodeFault[]).find((name) => name === found?.fault) ?? 'disk_fault'
  if (found) throw new NodeUnfit(fault, found.message)
}

async function lookAtSandboxes({ sandboxes, config }: Pick<App, 'config' | 'sandboxes'>): Promise<void> {
  const { isolated, problems } = await sandboxes.probe()
  if (!isolated && !config.unsafeSandbox) throw new NodeUnfit('sandbox_failed', problems.join(' '))
}
