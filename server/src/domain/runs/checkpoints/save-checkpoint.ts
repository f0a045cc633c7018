import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import type { Checkpoint } from './checkpoint.ts'
import { forgetCheckpoints } from './forget-checkpoints.ts'

export type SaveCheckpoint = {
  holder: Holder
  /** The key of the last step that it includes. */
  key: string
  checkpoint: Pick<Checkpoint, 'commit' | 'baseCommits' | 'branchCommit' | 'sha256' | 'bytes'>
}

/** Records the run's newest checkpoint, whose bytes are already stored, and forgets old ones. Throws `LeaseLost`. */
export async function saveCheckpoint(db: Db, { holder, key, checkpoint }: SaveCheckpoint): Promise<void> {
  const { organizationId, runId, turn, leaseId } = holder
  await inTransaction(db, async (tx) => {
    const saved = await maybeOne<{ n: number }>(tx, save, [
      organizationId,
      runId,
      leaseId,
      turn,
      key,
      checkpoint.commit,
      checkpoint.baseCommits,
      checkpoint.branchCommit,
      checkpoint.sha256,
      checkpoint.bytes,
    ])
    if (!saved) throw new LeaseLost(runId)
    await forgetCheckpoints(tx, { organizationId, runId, upTo: saved.n - limits.checkpointsKept })
  })
}

/** Keeps the head locked, so that a takeover either sees this checkpoint or prevents it. */
const save = `
  with own as (
    select organization_id, run_id from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 for update)
  insert into checkpoints (organization_id, run_id, n, turn, step, commit, base_commits, branch_commit, sha256, bytes)
  select $1, $2,
    coalesce((select max(n) from checkpoints where organization_id = $1 and run_id = $2), 0) + 1, $4,
    (select step from steps where organization_id = $1 and run_id = $2 and key = $5), $6, $7, $8, $9, $10
  from own returning n`
