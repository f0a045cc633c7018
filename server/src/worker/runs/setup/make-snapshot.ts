import { chmod, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { setupLimits } from '#base/setup-limits.ts'
import { repeat } from '#base/concurrency/repeat.ts'
import { finishSnapshot } from '#domain/runs/snapshots/finish-snapshot.ts'
import { isStorageFull } from '#domain/accounts/storage/storage.ts'
import { releaseSnapshot } from '#domain/runs/snapshots/release-snapshot.ts'
import { renewSnapshot } from '#domain/runs/snapshots/renew-snapshot.ts'
import { snapshotFolderName, type Snapshot } from '#domain/runs/snapshots/snapshot.ts'
import { orUnfitDisk } from '#worker/health/require-disk.ts'
import { checkOut } from '#worker/runs/work-tree/check-out.ts'
import { openSetupSandbox } from './open-setup-sandbox.ts'
import { packSnapshot, SnapshotUnfit } from './pack-snapshot.ts'
import type { PrepareWorkTree } from './work-tree.ts'
import { runSetup } from './run-setup.ts'
import { SetupFailed, type SetupOutcome } from '#worker/failures/setup-failed.ts'

export type MakeSnapshot = PrepareWorkTree & {
  snapshot: Snapshot
  /** By whom the snapshot is claimed. */
  maker: string
}

export const setupSandboxId = (snapshot: Snapshot) => `setup-${snapshotFolderName(snapshot)}`

/** What became of it: null where it can be used; else why it is of no use to anybody. */
export type Made = { outcomes: SetupOutcome[]; unfit: string | null }

/**
 * Runs the setup of a repository in the work tree of one of its base branch's commits, in a sandbox of its own, and keeps
 * what it leaves. Throws `SetupFailed`, of which others are told for a while too; with anything else, such as the end of
 * whoever asked for it or a full disk, the next who asks makes it.
 */
export async function makeSnapshot(app: App, options: MakeSnapshot): Promise<Made> {
  const { snapshot, maker } = options
  const claim = { ...ids(snapshot), maker }
  const lost = new AbortController()
  await using _renewal = repeat(async () => {
    const isMine = await renewSnapshot(app.pool, claim).catch(() => true)
    if (!isMine) lost.abort(new Error('the snapshot is not wanted any more'))
  }, setupLimits.claimMs / 3)
  const signal = AbortSignal.any([options.signal, lost.signal])
  try {
    const { outcomes, bytes } = await build(app, { ...options, signal })
    const durationMs = outcomes.reduce((sum, outcome) => sum + outcome.durationMs, 0)
    if (typeof bytes === 'string') {
      await finishSnapshot(app.pool, { ...claim, state: 'unfit', durationMs, problem: { message: bytes } })
      return { outcomes, unfit: bytes }
    }
    const isKept = await finishSnapshot(app.pool, { ...claim, state: 'ready', bytes, durationMs }).catch(
      async (error: unknown) => {
        if (!isStorageFull(error)) throw error
        await finishSnapshot(app.pool, { ...claim, state: 'unfit', durationMs, problem: { message: error.message } })
        return error.message
      },
    )
    if (typeof isKept === 'string') return { outcomes, unfit: isKept }
    return { outcomes, unfit: isKept ? null : 'It was removed meanwhile.' }
  } catch (error) {
    if (lost.signal.aborted && !options.signal.aborted) return { outcomes: [], unfit: 'It was removed meanwhile.' }
    if (error instanceof SetupFailed)
      await finishSnapshot(app.pool, { ...claim, state: 'failed', problem: problemOf(error) })
    else await releaseSnapshot(app.pool, claim).catch(() => {})
    throw error
  }
}

const ids = ({ organizationId, repoId, n }: Snapshot) => ({ organizationId, repoId, n })

/** `bytes`: what is kept; or why nothing is. */
type Built = { outcomes: SetupOutcome[]; bytes: number | string }

/** Phases: the commit's files, the commands, an end to all that they left running, and only then what is kept. */
async function build(app: App, options: MakeSnapshot): Promise<Built> {
  const { snapshot, holder, objectsPath, commit, environment, secrets, paths, redactor, signal } = options
  const id = setupSandboxId(snapshot)
  const folder = path.join(app.snapshotFolder, snapshotFolderName(snapshot))
  let sandbox: Sandbox | undefined
  let isKept = false
  try {
    sandbox = await openSetupSandbox(app, { id, objectsPath, holder })
    await checkOut(sandbox, { ...detached, baseCommit: commit, commit, paths, signal })
    const setup = { sandbox, commands: environment.setupCommands, secrets, redactor, signal }
    const outcomes = await runSetup(setup).catch((error: unknown) => orUnfitDisk(app, error))
    await sandbox.stop('the setup is done')
    sandbox = await openSetupSandbox(app, { id, objectsPath, holder: null })
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    // Whoever started the service may keep its new files from others.
    await chmod(folder, 0o755)
    try {
      const bytesMax = Math.min(setupLimits.snapshotBytesMax, app.config.snapshotBytes)
      const { bytes } = await packSnapshot({ sandbox, folder, redactor, bytesMax, signal })
      isKept = true
      return { outcomes, bytes }
    } catch (error) {
      if (!(error instanceof SnapshotUnfit)) throw error
      return { outcomes, bytes: error.message }
    }
  } finally {
    await sandbox?.stop('the setup has ended')
    await app.sandboxes.remove(id)
    if (!isKept) await rm(folder, { recursive: true, force: true })
  }
}

const detached = { branch: 'main', baseBranch: 'main', origin: null, snapshot: null }

function problemOf({ message, outcomes }: SetupFailed) {
  const last = outcomes.at(-1)
  return { message, ...(last && { command: last.command, exitCode: last.exitCode, output: last.output }) }
}
