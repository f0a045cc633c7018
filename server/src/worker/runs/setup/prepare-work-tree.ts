import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import type { Entry } from '#base/entry.ts'
import { setupLimits } from '#base/setup-limits.ts'
import { pause } from '#base/concurrency/pause.ts'
import { claimSnapshot } from '#domain/runs/snapshots/claim-snapshot.ts'
import { removeSnapshot } from '#domain/runs/snapshots/remove-snapshot.ts'
import { snapshotFolderName, type Snapshot } from '#domain/runs/snapshots/snapshot.ts'
import { snapshotKey } from '#domain/runs/snapshots/snapshot-key.ts'
import { orUnfitDisk } from '#worker/health/require-disk.ts'
import { describeMachine } from './describe-machine.ts'
import { makeSnapshot } from './make-snapshot.ts'
import { snapshotFiles, unpackingSnapshot } from './pack-snapshot.ts'
import type { PrepareWorkTree } from './work-tree.ts'
import { runSetup, setupEntries } from './run-setup.ts'
import { SetupFailed, type SetupOutcome } from '#worker/failures/setup-failed.ts'

/** How work trees are prepared: what their sandboxes are shown for it, and what is then done in each. */
export type Preparation = {
  mounts: Record<string, string>
  /**
   * Prepares a work tree that was just checked out, before anybody else is at work in it. Answers what is told of it in a
   * log. Throws `SetupFailed`.
   */
  prepare(sandbox: Sandbox): Promise<Entry[]>
}

const mountName = 'snapshot'

/**
 * Finds what setup has left before for work trees like these; where nothing has been kept yet, makes it first, and who
 * else needs the same waits for it. Where it cannot be kept, the commands are run in each work tree by itself. Runs and
 * checks do the same. Null where the repository has no setup. Throws `SetupFailed`.
 */
export async function prepareWorkTree(app: App, options: PrepareWorkTree): Promise<Preparation | null> {
  if (!options.environment.setupCommands.length) return null
  // Without isolation each sandbox has its files at another path, and programs remember theirs.
  const isKeptNowhere = app.config.unsafeSandbox || !app.config.snapshotBytes || options.hasSubmodules
  const found = isKeptNowhere ? 'unfit' : await findSnapshot(app, options)
  if (found === 'unfit') return { mounts: {}, prepare: (sandbox) => prepareByItself(app, sandbox, options) }
  const { snapshot, outcomes } = found
  const folder = folderOf(app, snapshot)
  return {
    mounts: { [mountName]: folder },
    prepare: async (sandbox) => {
      const begun = performance.now()
      if (!(await unpack(sandbox, options.signal))) return prepareByItself(app, sandbox, options)
      return [...setupEntries(outcomes), snapshotEntry(snapshot, performance.now() - begun)]
    },
  }
}

const folderOf = (app: App, snapshot: Snapshot) => path.join(app.snapshotFolder, snapshotFolderName(snapshot))

type Found = { snapshot: Snapshot; outcomes: SetupOutcome[] }

async function findSnapshot(app: App, options: PrepareWorkTree): Promise<Found | 'unfit'> {
  const { repo, ref, environment, secrets, commit, paths, signal } = options
  const key = snapshotKey({
    commands: environment.setupCommands,
    secretNames: secrets.map(({ name }) => name),
    paths,
    machine: await describeMachine(),
    files: await app.hosts.git(ref).listFiles(ref, { commit }),
  })
  const maker = randomUUID()
  const { organizationId, id: repoId } = repo
  for (;;) {
    signal.throwIfAborted()
    const request = { organizationId, repoId, place: app.place, key, baseCommit: commit, maker }
    const { isMine, ...snapshot } = await claimSnapshot(app.pool, request)
    if (isMine) {
      const { outcomes, unfit } = await makeSnapshot(app, { ...options, snapshot, maker })
      return unfit === null ? { snapshot, outcomes } : 'unfit'
    }
    if (snapshot.state === 'unfit') return 'unfit'
    if (snapshot.state === 'failed') throw failedBefore(snapshot)
    if (snapshot.state === 'making') await pause(setupLimits.pollMs, signal)
    else if (await isThere(app, snapshot)) return { snapshot, outcomes: [] }
    // Somebody has taken its files away.
    else await removeSnapshot(app.pool, snapshot).catch(() => {})
  }
}

/** From then on its files stay for a while, whatever becomes of it. */
async function isThere(app: App, snapshot: Snapshot): Promise<boolean> {
  const folder = folderOf(app, snapshot)
  const now = new Date()
  await utimes(folder, now, now).catch(() => {})
  return Object.values(snapshotFiles).every((name) => existsSync(path.join(folder, name)))
}

function failedBefore({ problem }: Snapshot): SetupFailed {
  const { message = '', command, exitCode = null, output = '' } = problem ?? {}
  return new SetupFailed(message, command === undefined ? [] : [{ command, exitCode, output, durationMs: 0 }])
}

async function prepareByItself(app: App, sandbox: Sandbox, options: PrepareWorkTree): Promise<Entry[]> {
  const { environment, secrets, redactor, signal } = options
  const setup = { sandbox, commands: environment.setupCommands, secrets, redactor, signal }
  const outcomes = await runSetup(setup).catch((error: unknown) => orUnfitDisk(app, error))
  await inWorkTree(sandbox, excluding, signal)
  return setupEntries(outcomes)
}

/** Nothing of what setup has left is anybody's work. */
const excluding = 'cat "$HOME/.runwright/excluded" >> .git/info/exclude'

async function unpack(sandbox: Sandbox, signal: AbortSignal): Promise<boolean> {
  return inWorkTree(sandbox, `${unpackingSnapshot}\n${excluding}`, signal)
}

async function inWorkTree(sandbox: Sandbox, shell: string, signal: AbortSignal): Promise<boolean> {
  const env = { SNAPSHOT: sandbox.paths.mounts[mountName] ?? '' }
  const { exitCode, reason } = await sandbox.exec({ shell, env, timeoutMs: setupLimits.packMs, signal }).result
  signal.throwIfAborted()
  if (reason === 'sandbox_lost')
    throw new EngineError('sandbox_lost', 'The sandbox ended while the work tree was prepared.', { retryable: true })
  return exitCode === 0
}

function snapshotEntry({ n, baseCommit }: Snapshot, durationMs: number): Entry {
  return {
    messageType: 'ACTION',
    toolName: 'setup',
    toolInput: { snapshot: n, made_at: baseCommit },
    toolOutput: { prepared: true },
    observation: `The work tree starts from what the setup has left in snapshot ${n}.`,
    durationMs,
  }
}
