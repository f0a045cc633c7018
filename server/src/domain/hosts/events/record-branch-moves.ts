import { one, type Db } from '#db/pool.ts'
import { recordHostEvent } from './record-host-event.ts'
import { getHostActor } from '#domain/accounts/users/get-host-actor.ts'

/** A branch that a push moved: from where, and to where; null where it is not. */
export type BranchMove = { branch: string; before: string | null; commit: string | null }

export type RecordBranchMoves = {
  organizationId: number
  repoId: number
  moves: BranchMove[]
  /** The run that pushed; null: people, or a merge. */
  runId: number | null
  /** Who of ours pushed, or merged; null for a run. */
  userId: number | null
}

/** Tells whoever acts on pushes, in the transaction that stores what follows from them. */
export async function recordBranchMoves(
  tx: Db,
  { organizationId, repoId, moves, runId, userId }: RecordBranchMoves,
): Promise<void> {
  const { at } = await one<{ at: Date }>(tx, 'select now() as at')
  const actor = userId === null ? null : await getHostActor(tx, { userId })
  for (const { branch, before, commit } of moves) {
    const event = { type: 'push', branch, before, after: commit, runId, actor, at: at.toISOString() } as const
    await recordHostEvent(tx, { organizationId, repoId, event })
  }
}
