import type { App } from '#app/app.ts'
import { releaseLostJobs } from '#domain/hosts/jobs/release-lost-jobs.ts'
import { queueDueRuns } from '#domain/runs/runs/queue-due-runs.ts'
import { wakeWaitingRuns } from '#domain/runs/runs/wake-waiting-runs.ts'
import { sweepWorkers } from '#domain/runs/workers/sweep-workers.ts'

type SweepingApp = Pick<App, 'logger' | 'mask' | 'pool' | 'telemetry'>

/** Releases the jobs and the runs of dead workers, and wakes runs that need wait no longer. Every process does, so that a stop is a stop where no worker is left. Never rejects. */
export async function sweep({ pool, mask, logger, telemetry }: SweepingApp): Promise<void> {
  await telemetry.chores.do('lost_jobs', () => releaseLostJobs(pool))
  await telemetry.chores.do('waiting_runs', () => wakeWaitingRuns(pool))
  await telemetry.chores.do('due_runs', () => queueDueRuns(pool))
  await telemetry.chores.do('sweep', () =>
    sweepWorkers(pool, {
      mask,
      onFault: ({ error, runId }) => logger.error({ err: error, runId }, 'could not release an orphaned run'),
      onEnded: (orphan, ended) => telemetry.noteEnd(orphan, ended),
    }),
  )
}
