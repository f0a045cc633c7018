import { ChildRunRefused, type ChildRun, type ChildRuns } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import { pullUrl } from '#domain/hosts/pulls/pull.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import type { Run } from '#domain/runs/run.ts'
import { listChildRuns } from '#domain/runs/runs/list-child-runs.ts'
import { recordLinks } from '#domain/runs/runs/record-links.ts'
import { recordRunWait } from '#domain/runs/runs/record-run-wait.ts'
import { startChildRun } from '#domain/runs/runs/start-child-run.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'
import type { TurnLimits } from './limit-turn.ts'

type ChildRunApp = Pick<App, 'clock' | 'mask' | 'notifier' | 'pool' | 'publicUrl'>

/** The runs that the agent of a run may start, and how they stand. */
export function childRuns(
  app: ChildRunApp,
  { holder, limits }: { holder: Holder; limits: Pick<TurnLimits, 'signal' | 'halt'> },
): ChildRuns {
  const list = () => listChildRuns(app.pool, holder)
  return {
    start: async (request) => {
      const id = await startChildRun(app.pool, { holder, ...request }).catch(refuse)
      await recordLinks(app.pool, { holder, publicUrl: app.publicUrl, mask: app.mask })
      app.notifier.notifyRun(id)
      return requireChild(await list(), id, app.publicUrl)
    },
    read: async ({ key, runIds, waitMinutes }) => {
      const children = await list()
      const asked = runIds
        ? runIds.map((id) => requireChild(children, id, app.publicUrl))
        : children.map((run) => present(run, app.publicUrl))
      const open = asked.filter((child) => !child.hasEnded)
      if (waitMinutes === null || !open.length) return asked
      const wait = { holder, key, runIds: open.map(({ id }) => id), waitMs: waitMinutes * 60_000, now: app.clock.now() }
      const { mayWait } = await recordRunWait(app.pool, wait)
      if (mayWait) limits.halt(new TurnStopped('runs'))
      limits.signal.throwIfAborted()
      return asked
    },
  }
}

function requireChild(children: Run[], id: number, publicUrl: string): ChildRun {
  const child = children.find((run) => run.id === id)
  if (!child) throw new ChildRunRefused(`Run ${id} was not started by this one.`)
  return present(child, publicUrl)
}

function present(run: Run, publicUrl: string): ChildRun {
  const { id, title, status, statusDetail, result, error, pulls } = run
  return {
    id,
    title,
    status,
    statusDetail,
    result,
    hasEnded: hasEnded(run),
    error: error && `${error.code}: ${error.message}`,
    pulls: pulls.map((pull) => ({
      url: pullUrl(publicUrl, { ...pull, organizationId: run.organizationId }),
      state: pull.merged ? 'merged' : pull.state,
    })),
  }
}

function refuse(error: unknown): never {
  if (error instanceof AppError) throw new ChildRunRefused(error.message, { cause: error })
  throw error
}
