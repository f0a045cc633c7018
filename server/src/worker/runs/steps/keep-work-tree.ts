import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { answerKey } from '#domain/runs/steps/answer-key.ts'
import type { Workspace } from './open-workspace.ts'
import { storeCheckpoint } from './store-checkpoint.ts'
import { takeSnapshot } from './take-snapshot.ts'

/**
 * Stores the work tree of a turn that has its answer, so that another machine can deliver it. What keeps it from being stored
 * is told to the operator: the work is then on this machine alone.
 */
export async function keepWorkTree(
  app: Pick<App, 'blobs' | 'hosts' | 'logger' | 'pool' | 'temporaryFolder'>,
  { holder, workspace }: { holder: Holder; workspace: Workspace },
): Promise<void> {
  const signal = AbortSignal.timeout(limits.checkpointMs)
  try {
    const { sandbox, submodules } = workspace
    const snapshot = await takeSnapshot({ sandbox, submodules: submodules.found, known: null, signal })
    if (snapshot) await storeCheckpoint(app, { holder, workspace, snapshot, key: answerKey(holder.turn), signal })
  } catch (error) {
    app.logger.warn({ err: error, runId: holder.runId }, 'work that waits for its host could not be stored')
  }
}
