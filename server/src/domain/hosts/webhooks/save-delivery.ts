import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'

export type SaveDelivery = {
  organizationId: number
  integrationId: number
  /** The host's own name of it, the same when it is sent again. */
  delivery: string
  event: string
  body: Buffer
}

/** Keeps what a host has sent, to be read later; once, however often it is sent. Answers whether it is new. */
export async function saveDelivery(db: Db, saved: SaveDelivery): Promise<boolean> {
  const { organizationId, integrationId, delivery, event, body } = saved
  return inTransaction(db, async (tx) => {
    const made = await maybeOne<{ id: number }>(
      tx,
      `insert into webhook_deliveries (organization_id, integration_id, delivery, event, body) values ($1, $2, $3, $4, $5)
       on conflict (organization_id, integration_id, delivery) do nothing returning id`,
      [organizationId, integrationId, delivery, event, body],
    )
    if (made) await requestJob(tx, { organizationId, kind: 'delivery', ref: made.id })
    return made !== undefined
  })
}
