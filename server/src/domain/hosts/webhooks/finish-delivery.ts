import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { requestSync } from '#domain/hosts/integrations/request-sync.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'

/** What was read in one. */
export type DeliveredNews =
  | { about: 'repository'; hostRepoId: string; event: HostEvent; key: string | null }
  | { about: 'repositories' }

export type FinishDelivery = Pick<WebhookDelivery, 'organizationId' | 'id' | 'integrationId' | 'tries'> & {
  news: readonly DeliveredNews[]
  outcome: string | null
}

/** Hands on what a delivery tells of the repositories that are connected, and forgets its bytes: all of it, once. */
export async function finishDelivery(db: Db, { news, outcome, ...delivery }: FinishDelivery): Promise<void> {
  const { organizationId, id, integrationId, tries } = delivery
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update webhook_deliveries set done_at = now(), claimed_until = null, body = null, outcome = $4
       where organization_id = $1 and id = $2 and tries = $3 and done_at is null`,
      [organizationId, id, tries, outcome],
    )
    if (!rowCount) return
    if (news.some(({ about }) => about === 'repositories')) await requestSync(tx, { organizationId, integrationId })
    for (const told of news) {
      if (told.about !== 'repository') continue
      const repo = await maybeOne<{ id: number }>(
        tx,
        `select id from repos where organization_id = $1 and integration_id = $2 and host_repo_id = $3 and removed_at is null`,
        [organizationId, integrationId, told.hostRepoId],
      )
      if (repo) await recordHostEvent(tx, { organizationId, repoId: repo.id, event: told.event, key: told.key })
    }
  })
}
