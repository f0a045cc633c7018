import type { App } from '#app.ts'
import { crashAt } from '#base/crash-points.ts'
import { pushKey } from '#domain/effects/effect.ts'
import { intendEffect } from '#domain/effects/intend-effect.ts'
import { settleEffect } from '#domain/effects/settle-effect.ts'
import type { Holder } from '#domain/steps/step.ts'
import { RunFailure } from '#worker/run-failure.ts'
import { stillHeld } from '#worker/still-held.ts'
import type { Workspace } from './open-workspace.ts'
import { takePack } from './take-pack.ts'

export type PushWork = {
  holder: Holder
  repoId: number | null
  workspace: Workspace
  commit: string
  signal: AbortSignal
}

/** Moves the run's branch to its commit, once. Throws a `RunFailure` when the host refuses. */
export async function pushWork(app: App, { holder, repoId, workspace, commit, signal }: PushWork): Promise<void> {
  const { sandbox, ref, branch, branchCommit } = workspace
  const key = pushKey(branch, commit)
  const effect = await intendEffect(app.pool, {
    holder,
    key,
    kind: 'push',
    request: { branch, commit, expected: branchCommit },
  })
  crashAt('push.intended')
  if (effect.state === 'done') return
  const without = [workspace.baseCommit, workspace.startCommit, branchCommit].filter((known) => known !== null)
  await using pack = await takePack({ sandbox, commit, without, folder: app.temporaryFolder, signal })
  crashAt('pack.taken')
  const pushed = await app.host.push(ref, {
    branch,
    expected: branchCommit,
    commit,
    pack: pack.read(),
    signal,
    stillAllowed: () => stillHeld(app, holder),
  })
  crashAt('push.done')
  if (!pushed.pushed && pushed.reason === 'lease_lost') {
    signal.throwIfAborted()
    throw new RunFailure('push_rejected', 'The run was taken over while its work was pushed.', { retryable: true })
  }
  const entries = pushed.pushed
    ? []
    : [{ messageType: 'PR_CREATION_FAILED' as const, observation: { code: 'push_rejected', message: pushed.message } }]
  await settleEffect(app.pool, {
    holder,
    key,
    state: pushed.pushed ? 'done' : 'refused',
    result: pushed.pushed ? { commit } : { code: pushed.reason, message: pushed.message },
    entries,
    mask: app.mask,
    ...(pushed.pushed ? { pushed: { repoId, branch, commit } } : {}),
  })
  crashAt('push.settled')
  if (!pushed.pushed)
    throw new RunFailure('push_rejected', `The work could not be pushed to ${branch}: ${pushed.message}`)
}
