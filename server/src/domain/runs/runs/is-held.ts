import { maybeOne, type Db } from '#db/pool.ts'
import type { Holder } from '#domain/runs/holder.ts'

/** True while this lease holds the run and nobody asked it to stop. */
export async function isHeld(db: Db, { organizationId, runId, leaseId }: Omit<Holder, 'turn'>): Promise<boolean> {
  const head = await maybeOne(
    db,
    `select from run_heads where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel'`,
    [organizationId, runId, leaseId],
  )
  return head !== undefined
}
