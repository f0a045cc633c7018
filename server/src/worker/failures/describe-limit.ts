import type { SandboxLimits } from '#adapters/sandboxes/sandbox.ts'
import { limits as serviceLimits } from '#base/limits.ts'

const MiB = 1024 * 1024

/** By which limit a sandbox has ended, how much that is, and who may raise it; undefined when it was none. */
export function describeLimit(reason: string, limits: SandboxLimits): { code: string; message: string } | undefined {
  const say = sentences[reason]
  return say && { code: codes[reason] ?? reason, message: say(limits) }
}

const codes: Record<string, string> = {
  open_files: 'too_many_open_files',
  lifetime: 'timeout',
  unmeasured: 'sandbox_unmeasured',
}

const sentences: Record<string, (limits: SandboxLimits) => string> = {
  disk_full: ({ diskBytes }) =>
    `The sandbox used up its disk space of ${diskBytes / MiB} MiB, or more than ${diskBytes / 4096} files. Whoever operates the service may raise it with RUNWRIGHT_SANDBOX_DISK_MIB.`,
  out_of_memory: ({ memoryBytes }) =>
    `The sandbox used more than its ${memoryBytes / MiB} MiB of memory. Whoever operates the service may raise it with RUNWRIGHT_SANDBOX_MEMORY_MIB.`,
  open_files: () =>
    `Processes of the sandbox held more than ${serviceLimits.sandboxOpenFiles} files open at once, which no setting raises. Let fewer of them run at once.`,
  lifetime: ({ lifetimeMs }) =>
    `The sandbox was there for ${Math.round(lifetimeMs / 60_000)} minutes, the longest that one may be. Resume the run to go on.`,
  unmeasured: () =>
    'What the sandbox used could not be told, three times in a row, so it was ended. Fewer files and processes help; the service log says more.',
}
