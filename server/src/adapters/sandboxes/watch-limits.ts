import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { SandboxLimits } from './sandbox.ts'

const run = promisify(execFile)

const MEMORY_POLL_MS = 300
/** Between two looks at the disk: at least the first, at most the second, else what keeps the looking under 5 %. */
const DISK_POLL_MS_MIN = 1_000
const DISK_POLL_MS_MAX = 15_000
const DISK_POLL_REST = 20

export type LimitReached = 'lifetime' | 'disk_full' | 'out_of_memory'

export type WatchLimits = {
  limits: SandboxLimits
  /** All that the sandbox writes; null when nobody looks at it. */
  diskFolder: string | null
  /** The first process of a sandbox whose memory is to be looked at; null when the kernel holds it as a whole. */
  memoryOf: (() => number | null) | null
  signal: AbortSignal
  onReached: (limit: LimitReached) => void
}

/** Holds, from outside, those limits of a sandbox that the kernel does not, until the signal aborts. */
export function watchLimits(watch: WatchLimits): void {
  const { limits, diskFolder, memoryOf, signal, onReached } = watch
  if (signal.aborted) return
  const lifetime = setTimeout(() => onReached('lifetime'), limits.lifetimeMs)
  signal.addEventListener('abort', () => clearTimeout(lifetime))
  if (diskFolder !== null) void watchDisk(diskFolder, watch)
  if (memoryOf !== null) void watchMemory(memoryOf, watch)
}

async function watchDisk(folder: string, { limits, signal, onReached }: WatchLimits): Promise<void> {
  let pauseMs = DISK_POLL_MS_MIN
  for (;;) {
    await delay(pauseMs, undefined, { ref: false })
    if (signal.aborted) return
    const startedAt = performance.now()
    if ((await diskUsage(folder)) > limits.diskBytes) return onReached('disk_full')
    const tookMs = performance.now() - startedAt
    pauseMs = Math.min(DISK_POLL_MS_MAX, Math.max(DISK_POLL_MS_MIN, tookMs * DISK_POLL_REST))
  }
}

async function watchMemory(firstPid: () => number | null, { limits, signal, onReached }: WatchLimits): Promise<void> {
  for (;;) {
    await delay(MEMORY_POLL_MS, undefined, { ref: false })
    if (signal.aborted) return
    const pid = firstPid()
    if (pid !== null && memoryOfTree(pid) > limits.memoryBytes) return onReached('out_of_memory')
  }
}

/** What the folder takes, in blocks: a file with holes takes less than its length. */
async function diskUsage(folder: string): Promise<number> {
  // Files that vanish meanwhile make `du` complain and exit with 1; the sum is still right.
  const { stdout } = await run('du', ['-s', '--block-size=1', folder]).catch((error: { stdout?: string }) => error)
  return Number.parseInt(stdout ?? '', 10) || 0
}

/** Orphans are children of the sandbox's first process, so nothing escapes the tree. */
function memoryOfTree(pid: number): number {
  let bytes = 0
  try {
    for (const [, kibibytes] of readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(
      /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB/gm,
    ))
      bytes += Number(kibibytes) * 1024
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ')
      for (const child of children) if (child) bytes += memoryOfTree(Number(child))
    }
  } catch {
    // It ended meanwhile.
  }
  return bytes
}
