import { maybeOne, type Db } from '#db/pool.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'

/** What a job is to read; undefined where it was read already. */
export async function getDelivery(
  db: Db,
  { organizationId, ref }: Pick<ClaimedJob, 'organizationId' | 'ref'>,
): Promise<WebhookDelivery | undefined> {
  return maybeOne<WebhookDelivery>(
    db,
    `select integration_id, event, body from webhook_deliveries
     where organization_id = $1 and id = $2 and done_at is null`,
    [organizationId, ref],
  )
}
