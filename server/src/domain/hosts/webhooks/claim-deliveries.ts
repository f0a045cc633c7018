import { hostLimits } from '#base/hosts/host-limits.ts'
import { rows, type Db } from '#db/pool.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'

/** Takes some that nobody else may be reading, the oldest first. */
export async function claimDeliveries(db: Db): Promise<WebhookDelivery[]> {
  return rows<WebhookDelivery>(
    db,
    `update webhook_deliveries d set claimed_until = now() + $1 * interval '1 millisecond', tries = tries + 1
     from (
       select organization_id, id from webhook_deliveries
       where done_at is null and due_at <= now() and (claimed_until is null or claimed_until <= now())
       order by due_at, id limit $2 for update skip locked) as next
     where d.organization_id = next.organization_id and d.id = next.id
     returning d.organization_id as "organizationId", d.id, d.integration_id as "integrationId", d.event, d.body, d.tries`,
    [hostLimits.hostEventClaimMs, hostLimits.deliveriesAtOnceMax],
  )
}
