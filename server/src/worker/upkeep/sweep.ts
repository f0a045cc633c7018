import type { App } from '#app/app.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import { releaseLostJobs } from '#domain/hosts/jobs/release-lost-jobs.ts'
import { queueDueRuns } from '#domain/runs/runs/queue-due-runs.ts'
import { wakeWaitingRuns } from '#domain/runs/runs/wake-waiting-runs.ts'
import { sweepWorkers, type SweepWorkers } from '#domain/runs/workers/sweep-workers.ts'

type SweepingApp = Pick<App, 'logger' | 'mask' | 'pool' | 'telemetry'>

/** Releases the jobs and the runs of dead workers, and wakes runs that need wait no longer. Right also where several processes do it at once. Never rejects. */
export async function sweep(app: SweepingApp): Promise<void> {
  const { pool, telemetry } = app
  await telemetry.chores.do('lost_jobs', async () => {
    if (await releaseLostJobs(pool)) await wakeWorkers(pool, { jobs: true })
  })
  await telemetry.chores.do('waiting_runs', () => wakeWaitingRuns(pool))
  await telemetry.chores.do('due_runs', () => queueDueRuns(pool))
  await telemetry.chores.do('sweep', () => sweepWorkers(pool, sweepOptions(app)))
}

export const sweepOptions = ({ mask, logger, telemetry }: SweepingApp): SweepWorkers => ({
  mask,
  onFault: ({ error, runId }) => logger.error({ err: error, runId }, 'could not release an orphaned run'),
  onEnded: (orphan, ended) => telemetry.noteEnd(orphan, ended),
})
