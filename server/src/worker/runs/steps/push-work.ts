import type { PushResult } from '#adapters/codehosts/git-store.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import type { JsonObject } from '#base/json.ts'
import { forgetCheckpoints } from '#domain/runs/checkpoints/forget-checkpoints.ts'
import { pushKey } from '#domain/runs/effects/effect.ts'
import { findForeignCommits } from '#domain/runs/effects/find-foreign-commits.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { listPushes } from '#domain/runs/effects/list-pushes.ts'
import { recordSigned } from '#domain/runs/effects/record-signed.ts'
import { settlePush } from '#domain/hosts/pulls/settle-push.ts'
import { settleEffect } from '#domain/runs/effects/settle-effect.ts'
import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import { findPushRule } from '#domain/runs/git-access/find-push-rule.ts'
import { inspectObject } from '#domain/runs/redaction/inspect-object.ts'
import { unpackAllowance } from '#domain/runs/redaction/find-packed-secret.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { stillHeld } from '#domain/runs/runs/still-held.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { adoptCommit } from './adopt-commit.ts'
import type { Workspace } from './open-workspace.ts'
import { pushLfs } from './push-lfs.ts'
import { takePack } from './take-pack.ts'

export type PushWork = {
  holder: Holder
  /** Whether its commits are to be signed by the host. */
  isSigned: boolean
  repoId: number | null
  workspace: Workspace
  /** What the work tree stands at; null where there has never been a commit. */
  commit: string | null
  signal: AbortSignal
}

/** Whether the host is to sign what a run commits. */
export const isSigned = ({ repo }: Pick<TurnFacts, 'repo'>): boolean =>
  repo !== null && pullSettingsOf(repo).signCommits

/**
 * Moves the run's branch to its commit, once, from wherever it is by now: the agent itself may have pushed, and others too,
 * whose work stays on it. Does nothing where nothing was changed. Answers what the work stands at: where the host has signed it, the
 * work tree is on another commit now. Throws a `RunFailure` when the host refuses.
 */
export async function pushWork(app: App, options: PushWork): Promise<string | null> {
  const { workspace, commit, signal } = options
  const pushed = await push(app, options)
  if (pushed !== null && pushed !== commit) await adoptCommit(workspace.sandbox, pushed, signal)
  return pushed
}

async function push(app: App, options: PushWork, isSecondTry = false): Promise<string | null> {
  const { holder, repoId, workspace, commit, signal } = options
  const { sandbox, ref, branch } = workspace
  const pushes = await listPushes(app.pool, { ...holder, branch })
  const isTouched = pushes.some(({ isByAgent, turn }) => isByAgent && turn === holder.turn)
  if (commit === null || (commit === workspace.startCommit && !isTouched)) {
    await forgetCheckpoints(app.pool, holder)
    return commit
  }
  const at = (await app.hosts.git(ref).mirror(ref, { signal })).branches.get(branch) ?? null
  const key = pushKey(branch, commit, pushes.filter(({ isByAgent }) => isByAgent).length)
  const request = { branch, commit, expected: at, turn: holder.turn }
  const effect = await intendEffect(app.pool, { holder, key, kind: 'push', request })
  crashAt('push.intended')
  if (effect.state === 'done') return nameOf(effect.result) ?? commit
  const signed = nameOf(effect.request)
  // A lost worker has had it signed and moved the branch.
  if (signed && signed !== commit && signed === at)
    return settle(app, { ...options, key, pushed: signedBefore(signed) })
  const without = [workspace.baseCommit, workspace.startCommit, at].filter((known) => known !== null)
  await using pack = await takePack({ sandbox, commit, without, folder: app.temporaryFolder, signal })
  crashAt('pack.taken')
  // What the agent has pushed of pointers by itself may lack its files.
  const begun = [workspace.baseCommit, workspace.startCommit].filter((known) => known !== null)
  await pushLfs(app, { holder, repoId, workspace, commit, without: begun, signal })
  const inspectFiles = await findPushRule(app.pool, holder)
  const unpacking = unpackAllowance()
  const pushed = await app.hosts.git(ref).push(ref, {
    branch,
    expected: at,
    commit,
    mustHold: findForeignCommits(pushes, at),
    pack: pack.read(),
    signal,
    inspect: (object) => inspectObject(app.redactors.of(holder), object, unpacking),
    ...(inspectFiles && { inspectFiles }),
    ...(options.isSigned && {
      sign: {
        since: begun,
        email: workspace.authors.by.email,
        onSigned: (signed) => recordSigned(app.pool, { holder, key, commit: signed }),
      },
    }),
    stillAllowed: () => stillHeld(app.pool, holder),
  })
  crashAt('push.done')
  if (!pushed.pushed && pushed.reason === 'lease_lost') {
    signal.throwIfAborted()
    throw new RunFailure('push_rejected', 'The run was taken over while its work was pushed.', { retryable: true })
  }
  // A push of the agent that was under way may have come first; no more begin by now.
  if (!pushed.pushed && pushed.reason === 'stale' && !isSecondTry) return await push(app, options, true)
  // Awaited here: the pack is removed after it, and a refusal meanwhile would be nobody's.
  return await settle(app, { ...options, key, pushed })
}

const nameOf = (of: JsonObject | null): string | null => (typeof of?.['commit'] === 'string' ? of['commit'] : null)
const signedBefore = (commit: string): PushResult => ({ pushed: true, commit })

async function settle(app: App, options: PushWork & { key: string; pushed: PushResult }): Promise<string> {
  const { holder, repoId, workspace, key, pushed, signal } = options
  const { branch } = workspace
  const settled = { holder, key, mask: app.mask }
  if (pushed.pushed) {
    const { commit } = pushed
    await settlePush(app.pool, { ...settled, result: { commit }, entries: [], pushed: { repoId, branch, commit } })
    crashAt('push.settled')
    return commit
  }
  // A planted secret in it has ended the turn.
  signal.throwIfAborted()
  const code = pushed.reason === 'holds_secret' ? 'secret_in_work' : 'push_rejected'
  const reason = pushed.reason === 'protected' ? 'protected' : code
  const observation = { code: reason, message: pushed.message }
  const entries = [{ messageType: 'PR_CREATION_FAILED' as const, observation }]
  const result = { code: pushed.reason, message: pushed.message }
  await settleEffect(app.pool, { ...settled, state: 'refused', result, entries })
  crashAt('push.settled')
  throw new RunFailure(code, `The work could not be pushed to ${branch}: ${pushed.message}`)
}
