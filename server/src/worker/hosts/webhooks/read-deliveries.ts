import type { App } from '#app/app.ts'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { claimDeliveries } from '#domain/hosts/webhooks/claim-deliveries.ts'
import { finishDelivery } from '#domain/hosts/webhooks/finish-delivery.ts'
import { getIntegration } from '#domain/hosts/integrations/get-integration.ts'
import type { WebhookDelivery } from '#domain/hosts/webhooks/webhook-delivery.ts'

/** Reads what code hosts have sent. What cannot be read will not be better another time. Answers whether there may be more. */
export async function readDeliveries(app: App): Promise<boolean> {
  const deliveries = await claimDeliveries(app.pool)
  for (const delivery of deliveries) {
    const { news, outcome } = await read(app, delivery)
    await finishDelivery(app.pool, { ...delivery, news, outcome })
  }
  return deliveries.length > 0
}

async function read({ pool, webhooks, logger }: App, delivery: WebhookDelivery) {
  const { organizationId, id, integrationId, event, body } = delivery
  try {
    const { kind } = await getIntegration(pool, { organizationId, integrationId })
    const news = webhooks[kind].read(event, body)
    return { news, outcome: news.length ? null : 'ignored' }
  } catch (error) {
    if (isConnectionError(error)) throw error
    logger.warn({ err: error, organizationId, deliveryId: id, event }, 'could not read a webhook')
    return { news: [], outcome: 'cannot be read' }
  }
}
