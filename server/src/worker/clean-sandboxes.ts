import type { App } from '#app.ts'
import { listHere } from '#domain/runs/list-here.ts'
import { removeSandbox } from './remove-sandbox.ts'

/**
 * Removes the sandboxes of this place that no run needs any more: of runs that have ended without doing it themselves,
 * and of runs that a worker of another place goes on with, from what it knows. One that cannot be removed keeps no other.
 */
export async function cleanSandboxes(
  app: Pick<App, 'pool' | 'sandboxes' | 'place'>,
  { except }: { except: number[] },
): Promise<void> {
  const runs = (await app.sandboxes.list()).flatMap((id) => {
    const [, organizationId, runId] = /^run-(\d+)-(\d+)$/.exec(id) ?? []
    return runId && !except.includes(Number(runId))
      ? [{ organizationId: Number(organizationId), runId: Number(runId) }]
      : []
  })
  if (!runs.length) return
  const here = await listHere(app.pool, { runIds: runs.map(({ runId }) => runId), place: app.place })
  const removals = runs.filter(({ runId }) => !here.has(runId)).map((run) => removeSandbox(app, run))
  const faults = (await Promise.allSettled(removals)).filter((removal) => removal.status === 'rejected')
  if (faults.length) throw new AggregateError(faults.map(({ reason }) => reason as unknown))
}
