import { BlobsUnavailable } from '#adapters/blobs/blob-store.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { LogRefused } from '#domain/runs/logs/taking-log.ts'
import type { RunError } from '#domain/runs/run.ts'
import { isStorageFull } from '#domain/accounts/storage/storage.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import { describeLimit } from '#worker/failures/describe-limit.ts'
import { NodeUnfit } from '#worker/health/node-unfit.ts'
import { refusedLog } from '#worker/failures/refused-log.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'

export type DescribeFailure = { signal: AbortSignal; sandbox: Sandbox | undefined; timeoutMinutes: number }

/** What a reader is told of a run that failed; undefined when it has not failed and another worker goes on with it. */
export async function describeFailure(
  error: unknown,
  { signal, sandbox, timeoutMinutes }: DescribeFailure,
): Promise<{ error: RunError } | undefined> {
  const stopped = signal.aborted ? signal.reason : error
  if (stopped instanceof TurnStopped) {
    if (stopped.why !== 'timeout') return undefined
    return failed('timeout', `The run reached its time limit of ${timeoutMinutes} minutes.`, true)
  }
  if (signal.aborted && stopped instanceof RunFailure) return failed(stopped.code, stopped.message, stopped.retryable)
  if (error instanceof LeaseLost || isConnectionError(error)) return undefined
  const limit = sandbox && (await limitOf(sandbox))
  if (limit) return limit
  const known = error instanceof LogRefused ? refusedLog(error) : error
  if (known instanceof EngineError || known instanceof RunFailure)
    return failed(known.code, known.message, known.retryable)
  if (error instanceof NodeUnfit) return failed('sandbox_failed', error.message, true)
  if (isStorageFull(error)) return failed('storage_full', error.message, true)
  if (error instanceof BlobsUnavailable) return failed('storage_unavailable', error.message, true)
  if (error instanceof HostError && error.code === 'storage_full') return failed(error.code, error.message, true)
  if (error instanceof HostError) return failed(`repository_${error.code}`, error.message, error.isPassing)
  return failed(
    'engine_error',
    'Something went wrong inside the service; its log has the details. Resume the run to try again.',
    true,
  )
}

const failed = (code: string, message: string, retryable: boolean) => ({ error: { code, message, retryable } })

/** A sandbox that ended by itself went over a limit, and that is the reason of whatever failed in it. */
async function limitOf(sandbox: Sandbox): Promise<{ error: RunError } | undefined> {
  const ended = await Promise.race([
    sandbox.closed,
    new Promise<undefined>((resolve) => setImmediate(resolve, undefined)),
  ])
  const limit = ended && describeLimit(ended.reason, sandbox.limits)
  return limit && failed(limit.code, limit.message, resumable.has(ended.reason))
}

/** What does not come again by itself. */
const resumable = new Set(['lifetime', 'unmeasured'])
