import type { Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type RecordBranch = { holder: Holder; branch: string; baseBranch: string; baseCommit: string | null }

/** Fixes, once, on which branch a run works and from where it began. Throws `LeaseLost`. */
export async function recordBranch(db: Db, { holder, branch, baseBranch, baseCommit }: RecordBranch): Promise<void> {
  const { rowCount } = await db.query(
    `update runs set branch = $4, base_branch = $5, base_commit = $6
     from (select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 for share) held
     where organization_id = $1 and id = $2 and branch is null`,
    [holder.organizationId, holder.runId, holder.leaseId, branch, baseBranch, baseCommit],
  )
  if (!rowCount) throw new LeaseLost(holder.runId)
}
