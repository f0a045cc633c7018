import { AppError } from '#base/errors.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import type { IntegrationIds } from './get-integration.ts'

/**
 * Has an integration and each of its repositories looked at now, as where somebody waits for it; what was looked at moments ago
 * a little later. Throws `integration_not_found`.
 */
export async function syncNow(db: Db, { organizationId, integrationId }: IntegrationIds): Promise<void> {
  await inTransaction(db, async (tx) => {
    const found = await maybeOne<{ delayMs: number }>(
      tx,
      `select greatest(0, $3 - extract(epoch from now() - coalesce(synced_at, now() - interval '1 day')) * 1000)::float8 as "delayMs"
       from integrations where organization_id = $1 and id = $2 for update`,
      [organizationId, integrationId, hostLimits.syncRestMs],
    )
    if (!found) throw new AppError('integration_not_found')
    // Also while one is at work: it may have read what has changed since.
    await requestJob(tx, { organizationId, kind: 'sync', ref: integrationId, delayMs: found.delayMs })
    await tx.query(
      `update jobs j set due_at = now() from repos r join host_polls p on p.organization_id = r.organization_id and p.repo_id = r.id
       where r.organization_id = $1 and r.integration_id = $2 and r.removed_at is null
         and p.seen_at < now() - $3 * interval '1 millisecond'
         and j.organization_id = r.organization_id and j.kind = 'poll' and j.ref = r.id::text and j.due_at > now()`,
      [organizationId, integrationId, hostLimits.syncRestMs],
    )
    await wakeWorkers(tx, { jobs: true })
  })
}
