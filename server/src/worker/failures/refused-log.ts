import type { LogRefused } from '#domain/runs/logs/taking-log.ts'
import { RunFailure } from './run-failure.ts'

/** The end of a run whose log has no room. Its own bound stays as it is, so that resuming it would end the same way. */
export function refusedLog({ code, message, cause }: LogRefused): RunFailure {
  const explanation = `${message} What the run did last is not in its log.`
  return new RunFailure(code, explanation, { retryable: code === 'storage_full', cause })
}
