import { HostError } from '#adapters/codehosts/code-host.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import { LogRefused } from '#domain/runs/logs/taking-log.ts'
import { isStorageFull } from '#domain/accounts/storage/storage.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'

/** What git or the service itself could not do may have failed by the machine, without a word of it in the error. */
export function mayBeOurs(error: unknown): boolean {
  if (error instanceof HostError) return error.code === 'unavailable'
  const isOwn = error instanceof RunFailure || error instanceof EngineError
  return !(isOwn || error instanceof LogRefused || isStorageFull(error))
}
