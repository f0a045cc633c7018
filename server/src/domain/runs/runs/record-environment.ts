import type { Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import type { Environment } from '#domain/repos/environment.ts'

export type RecordEnvironment = { holder: Holder; commit: string | null; environment: Environment }

/** Fixes by which rules a run works, before anything of it is at work. Throws `LeaseLost`. */
export async function recordEnvironment(
  db: Db,
  { holder, commit, environment: { egress, push } }: RecordEnvironment,
): Promise<void> {
  const { rowCount } = await db.query(
    `update runs set environment = $4
     from (select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 for share) held
     where organization_id = $1 and id = $2`,
    [holder.organizationId, holder.runId, holder.leaseId, JSON.stringify({ commit, egress, push })],
  )
  if (!rowCount) throw new LeaseLost(holder.runId)
}
