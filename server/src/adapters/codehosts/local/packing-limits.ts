import { storageLimits } from '#base/storage-limits.ts'
import type { RunGit } from './run-git.ts'

/** What git may use to write packs of a repository anew. */
export const packingLimits = {
  config: [
    ['pack.windowMemory', '64m'],
    ['pack.threads', '1'],
  ],
  memoryBytesMax: storageLimits.collectMemoryBytes,
  cpuSecondsMax: storageLimits.collectCpuSeconds,
  timeoutMs: storageLimits.collectMs,
} satisfies Partial<RunGit>
