import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app/app.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { whileElsewhere } from '#domain/runs/runs/while-elsewhere.ts'
import { sandboxId } from './steps/open-workspace.ts'

/** The run is kept from being sent on for at most so long: a remote worker may be slow, or say nothing. */
const ASIDE_MS_MAX = 1_000

/**
 * Removes a run's sandbox of this place, unless the run is at work here, or about to be. The run is kept from being sent
 * on until the files are out of the way, and not for as long as it takes to delete them.
 */
export async function removeSandbox(
  app: Pick<App, 'pool' | 'sandboxes' | 'place'>,
  { organizationId, runId }: RunIds,
): Promise<void> {
  let removed: Promise<void> | undefined
  await whileElsewhere(app.pool, { organizationId, runId, place: app.place }, async () => {
    const aside = Promise.withResolvers<void>()
    removed = app.sandboxes.remove(sandboxId({ organizationId, runId }), { onAside: aside.resolve })
    await Promise.race([aside.promise, removed, sleep(ASIDE_MS_MAX, undefined, { ref: false })])
  })
  await removed
}
