import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type AgreeOnBase = { holder: Holder; baseCommit: string | null }

/**
 * From which commit a contestant begins: the one that its comparison has, else this one, which all others then take. Throws
 * `LeaseLost`.
 */
export async function agreeOnBase(db: Db, { holder, baseCommit }: AgreeOnBase): Promise<string | null> {
  const { organizationId, runId, leaseId } = holder
  const agreed = await maybeOne<{ baseCommit: string | null }>(
    db,
    `update comparisons k set base_commit = coalesce(k.base_commit, $4)
     from contestants t join run_heads h on h.organization_id = t.organization_id and h.run_id = t.run_id and h.lease_id = $3
     where t.organization_id = $1 and t.run_id = $2 and k.organization_id = t.organization_id and k.id = t.comparison_id
     returning k.base_commit`,
    [organizationId, runId, leaseId, baseCommit],
  )
  if (!agreed) throw new LeaseLost(runId)
  return agreed.baseCommit
}
