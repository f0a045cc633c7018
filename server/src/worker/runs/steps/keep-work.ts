import type { App } from '#app/app.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { commitWork } from './commit-work.ts'
import type { Workspace } from './open-workspace.ts'
import { isSigned, pushWork } from './push-work.ts'
import { tellLeftBehind } from './tell-left-behind.ts'

/** A failed run must not wait long for its end. */
const keepMs = 60_000

/**
 * Keeps what a failed turn did on the run's branch, so that a follow-up finds it; the conversation says that it was done.
 * Opens no pull request, because the work is not finished. Does what it can: the run has failed for another reason.
 */
export async function keepWork(
  app: App,
  { holder, facts, workspace, stop }: { holder: Holder; facts: TurnFacts; workspace: Workspace; stop: AbortSignal },
): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(keepMs)])
  const title = `Unfinished: ${facts.title ?? `run ${holder.runId}`}`
  try {
    const { commit, left } = await commitWork({
      ...workspace,
      submodules: workspace.submodules.found,
      title,
      answer: { answer: '' },
      by: workspace.authors.by,
      trailers: [],
      date: facts.turnStartedAt,
      signal,
    })
    await tellLeftBehind(app, { holder, workspace, left, signal })
    await pushWork(app, {
      holder,
      repoId: facts.repo?.id ?? null,
      isSigned: isSigned(facts),
      workspace,
      commit,
      signal,
    })
  } catch (error) {
    app.logger.debug({ err: error, runId: holder.runId }, 'could not keep the work of a failed turn')
  }
}
