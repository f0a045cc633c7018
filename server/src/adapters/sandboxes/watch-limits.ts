import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { SandboxLimits } from './sandbox.ts'

const run = promisify(execFile)

const MEMORY_POLL_MS = 300
/** Between two looks at the disk: at least the first, at most the second, else what keeps the looking under 5 %. */
const DISK_POLL_MS_MIN = 1_000
const DISK_POLL_MS_MAX = 15_000
const DISK_POLL_REST = 20
/** What a file takes at least, so that files without content fill no disk either: its entry and its inode. */
const FILE_BYTES = 1024

export type LimitReached = 'lifetime' | 'disk_full' | 'out_of_memory'

export type WatchLimits = {
  limits: SandboxLimits
  /** All that the sandbox writes; null when nobody looks at it. */
  diskFolder: string | null
  /** Whether memory is looked at, too, because the kernel does not hold it as a whole. */
  isMemoryPolled: boolean
  /** The root of the sandbox's process tree; null until it is known. */
  firstPid: () => number | null
  signal: AbortSignal
  onReached: (limit: LimitReached) => void
}

/** Holds, from outside, those limits of a sandbox that the kernel does not, until the signal aborts. */
export function watchLimits(watch: WatchLimits): void {
  const { limits, diskFolder, isMemoryPolled, signal, onReached } = watch
  if (signal.aborted) return
  const lifetime = setTimeout(() => onReached('lifetime'), limits.lifetimeMs)
  signal.addEventListener('abort', () => clearTimeout(lifetime))
  if (diskFolder !== null) void watchDisk(diskFolder, watch)
  if (isMemoryPolled) void watchMemory(watch)
}

async function watchDisk(folder: string, { limits, firstPid, signal, onReached }: WatchLimits): Promise<void> {
  let pauseMs = DISK_POLL_MS_MIN
  for (;;) {
    await delay(pauseMs, undefined, { ref: false })
    if (signal.aborted) return
    const startedAt = performance.now()
    const usedBytes = (await diskUsage(folder)) + deletedButOpen(treeOf(firstPid()))
    if (usedBytes > limits.diskBytes) return onReached('disk_full')
    const tookMs = performance.now() - startedAt
    pauseMs = Math.min(DISK_POLL_MS_MAX, Math.max(DISK_POLL_MS_MIN, tookMs * DISK_POLL_REST))
  }
}

async function watchMemory({ limits, firstPid, signal, onReached }: WatchLimits): Promise<void> {
  for (;;) {
    await delay(MEMORY_POLL_MS, undefined, { ref: false })
    if (signal.aborted) return
    const usedBytes = treeOf(firstPid()).reduce((sum, pid) => sum + memoryOf(pid), 0)
    if (usedBytes > limits.memoryBytes) return onReached('out_of_memory')
  }
}

/** What the folder takes, in blocks: a file with holes takes less than its length. */
async function diskUsage(folder: string): Promise<number> {
  const bytes = await sumOf(folder, '--block-size=1')
  return Math.max(bytes, FILE_BYTES * (await sumOf(folder, '--inodes')))
}

async function sumOf(folder: string, unit: string): Promise<number> {
  // Files that vanish meanwhile make `du` complain and exit with 1; the sum is still right.
  const { stdout } = await run('du', ['-s', unit, folder]).catch((error: { stdout?: string }) => error)
  return Number.parseInt(stdout ?? '', 10) || 0
}

/** Files without a name, which no walk through folders finds, as long as somebody holds them open. */
function deletedButOpen(pids: number[]): number {
  const files = new Map<string, number>()
  for (const pid of pids)
    for (const descriptor of list(`/proc/${pid}/fd`)) {
      const stat = statOf(`/proc/${pid}/fd/${descriptor}`)
      if (stat?.isFile() && stat.nlink === 0) files.set(`${stat.dev}:${stat.ino}`, stat.blocks * 512)
    }
  return files.values().reduce((sum, bytes) => sum + bytes, 0)
}

/** A process and all below it. Orphans are children of the sandbox's first process, so nothing escapes. */
function treeOf(pid: number | null): number[] {
  if (pid === null) return []
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' '),
  )
  return [pid, ...children.filter(Boolean).flatMap((child) => treeOf(Number(child)))]
}

/** What it alone holds in memory, in bytes. */
function memoryOf(pid: number): number {
  const lines = read(`/proc/${pid}/status`).matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB/gm)
  return lines.reduce((sum, [, kibibytes]) => sum + Number(kibibytes) * 1024, 0)
}

/** Nothing of a process that ended meanwhile, or that we may not look at. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function statOf(file: string): Stats | null {
  try {
    return statSync(file)
  } catch {
    return null
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
