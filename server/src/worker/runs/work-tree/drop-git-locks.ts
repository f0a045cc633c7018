import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'

/**
 * Removes the lock files of git processes that were killed with the sandbox they ran in; git itself never does, and
 * refuses to work beside them. Only for a sandbox that has just begun, in which no git can be at work.
 */
export async function dropGitLocks(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const { reason } = await sandbox.exec({
    shell: `find .git -name '*.lock' -type f -delete`,
    timeoutMs: 60_000,
    signal,
  }).result
  signal.throwIfAborted()
  // What else goes wrong shows where the files are needed.
  if (reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended as it began.', { retryable: true })
}
