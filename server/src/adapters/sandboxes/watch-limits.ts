import { setTimeout as delay } from 'node:timers/promises'
import { limits as serviceLimits } from '#base/limits.ts'
import type { MeasureDisk } from './measure-disk.ts'
import type { Look, Meter, SandboxUse } from './meter.ts'
import type { SandboxLimits } from './sandbox.ts'

const MEMORY_POLL_MS = 300
/** Between two looks at files: at least the first, at most the second, else what keeps the looking under 5 %. */
const FILES_POLL_MS_MIN = 1_000
const FILES_POLL_MS_MAX = 15_000
const FILES_POLL_REST = 20
/** What cannot be known so often in a row counts as too much. */
const FAULTS_MAX = 3

export type LimitReached = 'lifetime' | 'disk_full' | 'out_of_memory' | 'open_files' | 'unmeasured'

export type WatchLimits = {
  limits: SandboxLimits
  /** Null: only the time is watched. */
  meter: Meter | null
  /** All that the sandbox writes; null when nobody looks at it. */
  disk: MeasureDisk | null
  /** Whether memory is looked at, too, because the kernel does not hold it as a whole. */
  isMemoryPolled: boolean
  /** The root of the sandbox's process tree; null until it is known. */
  firstPid: () => number | null
  signal: AbortSignal
  onReached: (limit: LimitReached) => void
}

/** Holds, from outside, those limits of a sandbox that the kernel does not, until the signal aborts. */
export function watchLimits(watch: WatchLimits): void {
  const { limits, meter, isMemoryPolled, signal, onReached } = watch
  if (signal.aborted) return
  const lifetime = setTimeout(() => onReached('lifetime'), limits.lifetimeMs)
  signal.addEventListener('abort', () => clearTimeout(lifetime))
  if (!meter) return
  void watchFiles({ ...watch, meter })
  if (isMemoryPolled) void watchMemory({ ...watch, meter })
}

type Watched = WatchLimits & { meter: Meter }

async function watchFiles({ limits, meter, disk, firstPid, signal, onReached }: Watched): Promise<void> {
  const openFilesMax = serviceLimits.sandboxOpenFiles
  const look = (): Look => {
    const pid = firstPid()
    const wants = { memory: false, openFiles: true, deleted: disk !== null }
    return { ...(disk && { disk }), ...(pid !== null && { processes: { firstPid: pid, openFilesMax, wants } }) }
  }
  const judge = ({ diskBytes, openFiles }: SandboxUse): LimitReached | null =>
    diskBytes > limits.diskBytes ? 'disk_full' : openFiles > openFilesMax ? 'open_files' : null
  const pauseAfter = (tookMs: number) =>
    Math.min(FILES_POLL_MS_MAX, Math.max(FILES_POLL_MS_MIN, tookMs * FILES_POLL_REST))
  await lookAgain({ meter, look, judge, pauseAfter, signal, onReached })
}

async function watchMemory({ limits, meter, firstPid, signal, onReached }: Watched): Promise<void> {
  const look = (): Look => {
    const pid = firstPid()
    const wants = { memory: true, openFiles: false, deleted: false }
    return pid === null ? {} : { processes: { firstPid: pid, openFilesMax: 0, wants } }
  }
  const judge = ({ memoryBytes }: SandboxUse): LimitReached | null =>
    memoryBytes > limits.memoryBytes ? 'out_of_memory' : null
  await lookAgain({ meter, look, judge, pauseAfter: () => MEMORY_POLL_MS, signal, onReached })
}

type LookAgain = Pick<Watched, 'meter' | 'signal' | 'onReached'> & {
  look: () => Look
  judge: (use: SandboxUse) => LimitReached | null
  pauseAfter: (tookMs: number) => number
}

async function lookAgain({ meter, look, judge, pauseAfter, signal, onReached }: LookAgain): Promise<void> {
  let faults = 0
  let pauseMs = pauseAfter(0)
  for (;;) {
    await delay(pauseMs, undefined, { ref: false })
    if (signal.aborted) return
    const startedAt = performance.now()
    const use = await meter.look(look()).catch(() => null)
    if (signal.aborted) return
    faults = use ? 0 : faults + 1
    const reached = use ? judge(use) : faults >= FAULTS_MAX ? 'unmeasured' : null
    if (reached) return onReached(reached)
    pauseMs = pauseAfter(performance.now() - startedAt)
  }
}
