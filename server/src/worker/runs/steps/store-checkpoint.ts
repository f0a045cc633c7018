import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { recordBlobs } from '#domain/runs/blobs/record-blobs.ts'
import { saveCheckpoint } from '#domain/runs/checkpoints/save-checkpoint.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { Workspace } from './open-workspace.ts'
import { takePack } from './take-pack.ts'
import { NoSnapshot, type Snapshot } from './take-snapshot.ts'

export type StoreCheckpoint = {
  holder: Holder
  workspace: Workspace
  snapshot: NonNullable<Snapshot>
  /** The key of the last step that it holds. */
  key: string
  signal: AbortSignal
}

/**
 * Brings a snapshot out of the sandbox as a pack on top of what the code host has, checks it in quarantine, and stores it.
 * Rejects with what kept it from being stored; the run goes on without.
 */
export async function storeCheckpoint(
  app: Pick<App, 'blobs' | 'hosts' | 'pool' | 'temporaryFolder'>,
  { holder, workspace, snapshot, key, signal }: StoreCheckpoint,
): Promise<void> {
  const { sandbox, ref, baseCommit, startCommit, branchCommit } = workspace
  const { organizationId } = holder
  const { commit, also, gitFolder } = snapshot
  const baseCommits = [...new Set([baseCommit, startCommit, branchCommit].filter((known) => known !== null))]
  const bytesMax = limits.checkpointBytesMax
  const folder = app.temporaryFolder
  await using pack = await takePack({
    sandbox,
    commit,
    also,
    without: baseCommits,
    folder,
    gitFolder,
    bytesMax,
    signal,
  })
  const found = await app.hosts.git(ref).check(ref, { commit, pack: pack.read(), signal })
  if (!found.isWhole) throw new NoSnapshot(found.message)
  signal.throwIfAborted()
  const { sha256, bytes } = pack
  // The row comes before the bytes: none lie in the store which no row tells of.
  await recordBlobs(app.pool, { organizationId, blobs: [{ sha256, bytes }], kind: 'checkpoints' })
  await orAborted(app.blobs.put(organizationId, { file: pack.file }), signal)
  await saveCheckpoint(app.pool, { holder, key, checkpoint: { commit, baseCommits, branchCommit, sha256, bytes } })
}

/** A store that does not answer keeps no turn from ending. */
async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const abort = () => resolve()
  signal.addEventListener('abort', abort)
  try {
    await Promise.race([work, promise])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
