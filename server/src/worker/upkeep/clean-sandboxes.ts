import type { App } from '#app/app.ts'
import { listStaleChecks } from '#domain/hosts/checks/list-stale-checks.ts'
import { listHere } from '#domain/runs/runs/list-here.ts'
import { checkSandboxId, readCheckSandboxId } from '#worker/checks/check-sandbox-id.ts'
import { removeSandbox } from '#worker/runs/remove-sandbox.ts'

/**
 * Removes the sandboxes of this place that no run needs any more: of runs that have ended without doing it themselves,
 * and of runs that a worker of another place goes on with, from what it knows; and those of checks that are over, or that
 * another worker runs anew. One that cannot be removed keeps no other.
 */
export async function cleanSandboxes(
  app: Pick<App, 'pool' | 'sandboxes' | 'place'>,
  { except }: { except: number[] },
): Promise<void> {
  const ids = await app.sandboxes.list()
  if (!ids.length) return
  const runs = ids.flatMap((id) => {
    const [, organizationId, runId] = /^run-(\d+)-(\d+)$/.exec(id) ?? []
    return runId && !except.includes(Number(runId))
      ? [{ organizationId: Number(organizationId), runId: Number(runId) }]
      : []
  })
  const here = await listHere(app.pool, { runIds: runs.map(({ runId }) => runId), place: app.place })
  const attempts = ids.map(readCheckSandboxId).filter((attempt) => attempt !== null)
  const stale = await listStaleChecks(app.pool, attempts)
  const removals = [
    ...runs.filter(({ runId }) => !here.has(runId)).map((run) => removeSandbox(app, run)),
    ...stale.map((attempt) => app.sandboxes.remove(checkSandboxId(attempt))),
  ]
  const faults = (await Promise.allSettled(removals)).filter((removal) => removal.status === 'rejected')
  if (faults.length) throw new AggregateError(faults.map(({ reason }) => reason as unknown))
}
