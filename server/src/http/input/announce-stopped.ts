import { hasEnded } from '#domain/runs/run-head.ts'
import type { Run } from '#domain/runs/run.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'

/** Counts those of the runs that a request has stopped which nobody held: no worker says that they have ended. */
export function announceStopped({ telemetry }: Pick<HttpApp, 'telemetry'>, runs: readonly Run[]): void {
  for (const run of runs) {
    const { organizationId, id: runId, turn, status } = run
    if (hasEnded(run)) telemetry.noteEnd({ organizationId, runId, turn, workerId: null }, { status, code: null })
  }
}
