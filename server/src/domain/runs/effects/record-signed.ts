import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

export type RecordSigned = { holder: Holder; key: string; commit: string }

/** Stores what a push moves its branch to, now that its commits are signed, so that it is known as the run's own. Throws `LeaseLost`. */
export async function recordSigned(db: Db, { holder, key, commit }: RecordSigned): Promise<void> {
  const { organizationId, runId, leaseId } = holder
  const recorded = await maybeOne(
    db,
    `update effects set request = request || jsonb_build_object('commit', $5::text)
     where organization_id = $1 and run_id = $2 and key = $4 and state = 'intended' and exists (
       select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3) returning key`,
    [organizationId, runId, leaseId, key, commit],
  )
  if (!recorded) throw new LeaseLost(runId)
}
