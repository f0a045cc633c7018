import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

const adoptMs = 60_000

/** Has the work tree stand on the signed commit, which has the files of the one that it stands on; what is not committed stays. */
export async function adoptCommit(sandbox: Sandbox, commit: string, signal: AbortSignal): Promise<void> {
  const result = await sandbox.exec({
    argv: ['git', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'reset', '-q', '--soft', commit],
    timeoutMs: adoptMs,
    signal,
  }).result
  signal.throwIfAborted()
  if (result.reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended after the work was signed.', { retryable: true })
  if (result.exitCode !== 0)
    throw new RunFailure(
      'commit_failed',
      `The signed work could not be taken up: ${result.output.toString().trim().slice(-1_000)}`,
    )
}
