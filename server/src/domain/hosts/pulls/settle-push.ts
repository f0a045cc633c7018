import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordBranchMoves } from '#domain/hosts/events/record-branch-moves.ts'
import { settleEffect, type SettleEffect } from '#domain/runs/effects/settle-effect.ts'
import { recordPullHeads } from './record-pull-heads.ts'

export type SettlePush = Omit<SettleEffect, 'state' | 'pushed'> & {
  /** Where the run's branch is now; no repository: nobody follows the branches of the run's own. */
  pushed: NonNullable<SettleEffect['pushed']> & { repoId: number | null; branch: string }
}

/** Stores that a run's push is done, and what follows from it for the repository: once. Throws `LeaseLost`. */
export async function settlePush(db: Db, { pushed, ...effect }: SettlePush): Promise<void> {
  const { organizationId, runId } = effect.holder
  const { repoId, branch, commit } = pushed
  await inTransaction(db, async (tx) => {
    const settled = await settleEffect(tx, { ...effect, state: 'done', pushed })
    if (!settled || repoId === null) return
    await recordPullHeads(tx, { organizationId, repoId, updates: [{ branch, commit }] })
    const moves = [{ branch, before: settled.before, commit }]
    await recordBranchMoves(tx, { organizationId, repoId, moves, runId, userId: null })
  })
}
