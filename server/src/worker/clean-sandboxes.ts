import type { App } from '#app.ts'
import { listEnded } from '#domain/runs/list-ended.ts'

/** Removes the sandboxes of runs that have ended without doing it themselves: stopped, or lost with their worker. */
export async function cleanSandboxes(app: App, { except }: { except: number[] }): Promise<void> {
  const runs = (await app.sandboxes.list()).flatMap((id) => {
    const [, organizationId, runId] = /^run-(\d+)-(\d+)$/.exec(id) ?? []
    return runId && !except.includes(Number(runId))
      ? [{ id, organizationId: Number(organizationId), runId: Number(runId) }]
      : []
  })
  if (!runs.length) return
  const ended = new Set((await listEnded(app.pool, runs)).map(({ runId }) => runId))
  for (const { id, runId } of runs) if (ended.has(runId)) await app.sandboxes.remove(id)
}
