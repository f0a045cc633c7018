import { SandboxFileError, type Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { withExec } from '#adapters/sandboxes/with-exec.ts'

/** A sandbox whose commands change nothing that stays; null where it cannot hold them to that. */
export function lookOnly(sandbox: Sandbox): Sandbox | null {
  if (!sandbox.canLookOnly) return null
  return {
    ...withExec(sandbox, (request) => sandbox.exec({ ...request, looksOnly: true })),
    proxyUrl: null,
    writeFile: (path) => Promise.reject(new SandboxFileError('EROFS', path)),
  }
}
