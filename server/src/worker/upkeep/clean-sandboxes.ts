import type { App } from '#app/app.ts'
import { listStaleChecks } from '#domain/hosts/checks/list-stale-checks.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { listHere } from '#domain/runs/runs/list-here.ts'
import { checkSandboxId, readCheckSandboxId } from '#worker/checks/check-sandbox-id.ts'
import { sandboxId } from '#worker/runs/steps/open-workspace.ts'
import { removeSandbox } from '#worker/runs/remove-sandbox.ts'

/** So many are removed at once; of a remote worker, which may take its time to answer, one. */
const AT_ONCE = 4
const AT_ONCE_THERE = 1

/**
 * Removes the sandboxes of this place that no run needs any more: of runs that have ended without doing it themselves,
 * and of runs that a worker of another place goes on with, from what it knows; and those of checks that are over, or that
 * another worker runs anew; and those of other organizations than the one whose runs are taken here. One that cannot be removed keeps no
 * other.
 */
export async function cleanSandboxes(
  app: Pick<App, 'pool' | 'sandboxes' | 'place' | 'serves' | 'remote'>,
  { except }: { except: number[] },
): Promise<void> {
  const ids = await app.sandboxes.list()
  if (!ids.length) return
  const all = ids.flatMap((id) => {
    const [, organizationId, runId] = /^run-(\d+)-(\d+)$/.exec(id) ?? []
    return runId && !except.includes(Number(runId))
      ? [{ organizationId: Number(organizationId), runId: Number(runId) }]
      : []
  })
  // Of the rows of other organizations none is looked at, or held, for what a machine says.
  const isForeign = (run: RunIds) => app.serves !== null && run.organizationId !== app.serves
  const runs = all.filter((run) => !isForeign(run))
  const here = await listHere(app.pool, { runIds: runs.map(({ runId }) => runId), place: app.place })
  const attempts = ids.map(readCheckSandboxId).filter((attempt) => attempt !== null)
  const stale = await listStaleChecks(app.pool, attempts)
  const removals = [
    ...runs.filter(({ runId }) => !here.has(runId)).map((run) => () => removeSandbox(app, run)),
    ...all.filter(isForeign).map((run) => () => app.sandboxes.remove(sandboxId(run))),
    ...stale.map((attempt) => () => app.sandboxes.remove(checkSandboxId(attempt))),
  ]
  const faults: unknown[] = []
  const removeNext = async (): Promise<void> => {
    for (let remove = removals.pop(); remove; remove = removals.pop())
      await remove().catch((error: unknown) => faults.push(error))
  }
  await Promise.all(Array.from({ length: app.remote ? AT_ONCE_THERE : AT_ONCE }, removeNext))
  if (faults.length) throw new AggregateError(faults)
}
