import { limits as serviceLimits } from '#base/limits.ts'
import type { SandboxLimits } from './sandbox.ts'

const MiB = 1024 * 1024

/** What programs say when the kernel has refused them something, by which limit that was, and who may raise it. */
const refusals: { words: string[]; say: (limits: SandboxLimits) => string }[] = [
  {
    words: ['No space left on device', 'Disk quota exceeded', 'ENOSPC', 'File size limit exceeded', 'File too large'],
    say: ({ diskBytes }) =>
      `Files of this sandbox may take ${diskBytes / MiB} MiB; its operator raises that with RUNWRIGHT_SANDBOX_DISK_MIB.`,
  },
  {
    words: ['Resource temporarily unavailable', 'Cannot fork', "can't start new thread"],
    say: ({ processes }) =>
      `This sandbox may have ${processes} processes and threads at once, which no setting raises.`,
  },
  {
    words: ['Too many open files', 'EMFILE'],
    say: () =>
      `A process may have ${serviceLimits.sandboxProcessOpenFiles} files open, all of a sandbox ${serviceLimits.sandboxOpenFiles}, which no setting raises.`,
  },
  {
    words: ['Cannot allocate memory', 'ENOMEM', 'MemoryError'],
    say: sayMemory,
  },
]

/** Null: nobody holds its limits. */
type Explained = { limits: SandboxLimits | null; isStarved: boolean }

/** A sentence for the end of a failed command's output; empty where nothing was refused. */
export function explainRefusal(lastWords: string, { limits, isStarved }: Explained): string {
  if (!limits) return ''
  const found = refusals.find(({ words }) => words.some((word) => lastWords.includes(word)))
  const explanation = isStarved ? sayMemory(limits) : found?.say(limits)
  return explanation ? `\n[limit of the sandbox] ${explanation}\n` : ''
}

function sayMemory({ memoryBytes }: SandboxLimits): string {
  return `Processes of this sandbox may take ${memoryBytes / MiB} MiB of memory; its operator raises that with RUNWRIGHT_SANDBOX_MEMORY_MIB.`
}
