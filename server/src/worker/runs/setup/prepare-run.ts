import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Mirror } from '#adapters/codehosts/git-store.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import { updateStatusDetail } from '#domain/runs/runs/update-status-detail.ts'
import type { RunSecret } from '#domain/repos/secrets/unseal-secrets.ts'
import type { WorkPaths } from '#domain/repos/work-paths.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { durableNote } from '#worker/runs/turn/durable-note.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import type { RunEnvironment } from './find-run-environment.ts'
import { prepareWorkTree, type Preparation } from './prepare-work-tree.ts'
import { setupEntries } from './run-setup.ts'
import { SetupFailed } from '#worker/failures/setup-failed.ts'

export type PrepareRun = RunEnvironment & {
  holder: Holder
  ref: RepoRef
  mirror: Mirror
  secrets: readonly RunSecret[]
  paths: WorkPaths
  hasSubmodules: boolean
  /** The how-manieth work tree of the turn it is for. */
  number: number
  signal: AbortSignal
}

/** What its sandbox is shown, and what is done once the code is checked out. */
export type RunPreparation = { mounts: Record<string, string>; prepare(sandbox: Sandbox): Promise<void> }

const nothing: RunPreparation = { mounts: {}, prepare: async () => {} }

/**
 * Prepares the work tree of a run before its engine begins, and tells of it in the log, once. Throws `RunFailure` where the
 * setup fails, unless the repository's runs go on without it.
 */
export async function prepareRun(app: App, options: PrepareRun): Promise<RunPreparation> {
  const { holder, repo, environment, commit, mirror, secrets, number } = options
  if (commit === null || !environment.setupCommands.length) return nothing
  await updateStatusDetail(app.pool, holder, 'setup')
  app.notifier.notifyRun(holder.runId)
  const key = `t${holder.turn}/setup${number === 1 ? '' : `/${number}`}`
  /** Undefined where the run goes on without. */
  const unlessFailed = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SetupFailed)) throw error
      await durableNote(app, { holder, key, entries: setupEntries(error.outcomes) })
      if (repo.setupRequired) throw new RunFailure('setup_failed', error.message, { cause: error })
      return undefined
    }
  }
  const preparation = await unlessFailed<Preparation | null>(() =>
    prepareWorkTree(app, {
      ...options,
      commit,
      objectsPath: mirror.objectsPath,
      secrets: secrets.filter(({ isEverywhere }) => isEverywhere),
      redactor: app.redactors.of(holder),
    }),
  )
  crashAt('setup.found')
  if (!preparation) return nothing
  return {
    mounts: preparation.mounts,
    prepare: async (sandbox) => {
      const entries = await unlessFailed(() => preparation.prepare(sandbox))
      crashAt('setup.done')
      if (entries) await durableNote(app, { holder, key, entries })
    },
  }
}
