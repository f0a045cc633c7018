import { Readable } from 'node:stream'
import { BlobDamaged } from '#adapters/blobs/blob-store.ts'
import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Mirror } from '#adapters/codehosts/git-store.ts'
import type { App } from '#app/app.ts'
import type { Checkpoint } from '#domain/runs/checkpoints/checkpoint.ts'
import { listCheckpoints } from '#domain/runs/checkpoints/list-checkpoints.ts'
import { listLostSteps } from '#domain/runs/checkpoints/list-lost-steps.ts'
import { listPushes } from '#domain/runs/effects/list-pushes.ts'
import type { Holder } from '#domain/runs/holder.ts'
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
 * Finds the newest that is known of a run's work: its branch, where the run has pushed it at the end of this turn; else the
 * newest checkpoint that is whole and not older than the branch; else the branch where the agent has pushed it; else what
 * the turn began on. A store that cannot be asked now is no reason to go back further: that would lose what can still be had.
 */
export async function findStart(app: Pick<App, 'blobs' | 'hosts' | 'pool'>, options: FindStart): Promise<Start> {
  const { holder, mirror, branch, began, lostBy } = options
  const at = mirror.branches.get(branch) ?? null
  const pushes = at === null ? [] : await listPushes(app.pool, { ...holder, branch })
  /** By which the run itself has brought its branch to where it is. */
  const push = pushes.findLast(({ commit }) => commit === at)
  if (push && at !== began.branchCommit && !push.isByAgent) return { commit: at, snapshot: null, restored: null }
  const checkpoints = await listCheckpoints(app.pool, holder)
  if (!lostBy && !checkpoints.length) return { commit: began.startCommit, snapshot: null, restored: null }
  const reason: RestoreReason = lostBy ?? 'ended_turn'
  let passedOver: Restored['passedOver'] = null
  for (const checkpoint of checkpoints) {
    // Of the checkpoints that are older than a push of the agent the branch holds what is worth most.
    if (push && checkpoint.stepDoneAt < push.at) break
    const isOnBranch = push !== undefined || checkpoint.branchCommit === began.branchCommit
    const pack = isOnBranch ? await readPack(app, options, checkpoint) : 'branch_moved'
    if (typeof pack === 'string') {
      passedOver ??= pack
      continue
    }
    const lost = await listLostSteps(app.pool, { ...holder, after: checkpoint.step })
    const restored = tellRestored({ reason, branch, checkpoint, commit: checkpoint.commit, lost, passedOver })
    return { commit: began.startCommit, snapshot: { commit: checkpoint.commit, pack }, restored }
  }
  const isPushed = push !== undefined && at !== began.branchCommit
  const commit = isPushed ? at : began.startCommit
  const fromTurn = Math.min(holder.turn, ...checkpoints.map(({ turn }) => turn))
  const lost = await listLostSteps(app.pool, { ...holder, after: 0, since: push?.at, fromTurn })
  const isWorthTelling = lost.length > 0 || passedOver !== null
  const facts = { reason, branch, isPushed, checkpoint: null, commit, lost, passedOver }
  return { commit, snapshot: null, restored: isWorthTelling ? tellRestored(facts) : null }
}

async function readPack(
  app: Pick<App, 'blobs' | 'hosts'>,
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
  const found = await app.hosts.git(ref).check(ref, { commit, pack: Readable.from([pack], { objectMode: false }) })
  return found.isWhole ? pack : 'damaged'
}
