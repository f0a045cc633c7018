import { EngineError } from '#adapters/engines/engine.ts'
import type { ExecRequest, ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'

/** Runs a command to its end. Rejects when the turn has to end, and when there is no sandbox any more. */
export async function runInside(
  { sandbox, signal }: { sandbox: Sandbox; signal: AbortSignal },
  request: Omit<ExecRequest, 'signal'>,
): Promise<ExecResult> {
  const result = await sandbox.exec({ ...request, signal }).result
  signal.throwIfAborted()
  if (result.reason === 'sandbox_lost') {
    throw new EngineError('sandbox_lost', 'The sandbox ended in the middle of the work.', { retryable: true })
  }
  return result
}
