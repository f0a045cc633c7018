import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import type { ClaimedSync } from './claim-sync.ts'

/** `problem`: what people should know; null where all is well. `retryAt`: not before then. */
export type FinishSync = ClaimedSync & { problem: string | null; isDone: boolean; retryAt?: Date | undefined }

/**
 * Says how the listing of an integration's repositories went; it is due again some time later. Nothing changes where another
 * listing was asked for, or begun, since.
 */
export async function finishSync(db: Db, finish: FinishSync): Promise<void> {
  const { organizationId, integrationId, claimId, problem, isDone, retryAt } = finish
  await db.query(
    `update integrations set problem = $3, synced_at = case when $4 then now() else synced_at end,
       sync_claim_id = null,
       sync_due_at = greatest(now() + $5 * interval '1 millisecond', $6)
     where organization_id = $1 and id = $2 and sync_claim_id = $7`,
    [organizationId, integrationId, problem, isDone, limits.integrationSyncMs, retryAt, claimId],
  )
}
