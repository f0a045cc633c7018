import { maybeOne, type Db } from '#db/pool.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'

/** Tells whoever follows the organization's events that a run exposed a canary credential. Throws `LeaseLost`. */
export async function recordCanary(db: Db, { holder, name }: { holder: Holder; name: string }): Promise<void> {
  const { organizationId, runId, turn, leaseId } = holder
  const written = await maybeOne(
    db,
    `insert into events (organization_id, kind, run_id, data)
     select organization_id, 'run.canary_found', run_id, $4 from run_heads
     where organization_id = $1 and run_id = $2 and lease_id = $3 returning 1`,
    [organizationId, runId, leaseId, JSON.stringify({ turn, canary: name })],
  )
  if (!written) throw new LeaseLost(runId)
}
