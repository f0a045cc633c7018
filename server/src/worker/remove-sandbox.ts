import type { App } from '#app.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { whileElsewhere } from '#domain/runs/while-elsewhere.ts'
import { sandboxId } from './steps/open-workspace.ts'

/** Removes a run's sandbox of this place, unless the run is at work here, or about to be. */
export async function removeSandbox(
  app: Pick<App, 'pool' | 'sandboxes' | 'place'>,
  { organizationId, runId }: RunIds,
): Promise<void> {
  await whileElsewhere(app.pool, { organizationId, runId, place: app.place }, () =>
    app.sandboxes.remove(sandboxId({ organizationId, runId })),
  )
}
