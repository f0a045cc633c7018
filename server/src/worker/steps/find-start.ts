import { Readable } from 'node:stream'
import { BlobDamaged } from '#adapters/blobs/blob-store.ts'
import type { Mirror, RepoRef } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app.ts'
import type { Checkpoint } from '#domain/checkpoints/checkpoint.ts'
import { listCheckpoints } from '#domain/checkpoints/list-checkpoints.ts'
import { listLostSteps } from '#domain/checkpoints/list-lost-steps.ts'
import { hasPushed } from '#domain/effects/has-pushed.ts'
import type { Holder } from '#domain/steps/step.ts'
import { tellRestored, type Restored, type RestoreReason } from './tell-restored.ts'

/** What a new workspace begins with. */
export type Start = {
  /** Where the run's branch begins; null: there is no commit yet. */
  commit: string | null
  snapshot: { commit: string; pack: Buffer } | null
  /** What agent and readers are told; null: nothing was done before, or nothing of it is lost. */
  restored: Restored | null
}

export type FindStart = {
  holder: Holder
  ref: RepoRef
  mirror: Mirror
  branch: string
  /** What the turn began on: its first commit, and where its branch was on the host. */
  began: { startCommit: string | null; branchCommit: string | null }
  /** Why the workspace is made anew; null at the beginning of a turn. */
  lostBy: 'other_machine' | 'sandbox_gone' | null
}

/**
 * Finds the newest that is known of a run's work: its branch, where the run itself has pushed it in this turn; else the
 * newest checkpoint that is whole and made on the branch as it is; else what the turn began on. A store that cannot be
 * asked now is no reason to go back further: that would lose what can still be had.
 */
export async function findStart(app: App, given: FindStart): Promise<Start> {
  const { holder, mirror, branch, began, lostBy } = given
  const at = mirror.branches.get(branch)
  if (at && at !== began.branchCommit && (await hasPushed(app.pool, { ...holder, branch, commit: at })))
    return { commit: at, snapshot: null, restored: null }
  const checkpoints = await listCheckpoints(app.pool, holder)
  if (!lostBy && !checkpoints.length) return { commit: began.startCommit, snapshot: null, restored: null }
  const reason: RestoreReason = lostBy ?? 'ended_turn'
  let passedOver: Restored['passedOver'] = null
  for (const checkpoint of checkpoints) {
    const pack =
      checkpoint.branchCommit === began.branchCommit ? await readPack(app, given, checkpoint) : 'branch_moved'
    if (typeof pack === 'string') {
      passedOver ??= pack
      continue
    }
    const lost = await listLostSteps(app.pool, { ...holder, after: checkpoint.step })
    const restored = tellRestored({ reason, branch, checkpoint, commit: checkpoint.commit, lost, passedOver })
    return { commit: began.startCommit, snapshot: { commit: checkpoint.commit, pack }, restored }
  }
  const fromTurn = Math.min(holder.turn, ...checkpoints.map(({ turn }) => turn))
  const lost = await listLostSteps(app.pool, { ...holder, after: 0, fromTurn })
  const isWorthTelling = lost.length > 0 || passedOver !== null
  const told = { reason, branch, checkpoint: null, commit: began.startCommit, lost, passedOver }
  return { commit: began.startCommit, snapshot: null, restored: isWorthTelling ? tellRestored(told) : null }
}

async function readPack(
  app: App,
  { holder, ref }: FindStart,
  { sha256, commit }: Checkpoint,
): Promise<Buffer | 'missing' | 'damaged'> {
  const { organizationId } = holder
  const pack = await app.blobs.get({ organizationId, sha256 }).catch((error: unknown) => {
    if (error instanceof BlobDamaged) return 'damaged' as const
    throw error
  })
  if (pack === undefined) return 'missing'
  if (pack === 'damaged') return pack
  const found = await app.host.check(ref, { commit, pack: Readable.from([pack], { objectMode: false }) })
  return found.isWhole ? pack : 'damaged'
}
