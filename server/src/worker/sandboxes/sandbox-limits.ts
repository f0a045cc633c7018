import type { SandboxLimits } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'

/** What any sandbox of a worker may use, for as long as it is there. */
export function sandboxLimits({ config }: Pick<App, 'config'>, lifetimeMs: number): SandboxLimits {
  const { sandboxMemoryBytes: memoryBytes, sandboxDiskBytes: diskBytes } = config
  return { memoryBytes, processes: limits.sandboxProcesses, diskBytes, lifetimeMs }
}
