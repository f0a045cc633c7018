import type { App } from '#app/app.ts'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { finishDelivery } from '#domain/hosts/webhooks/finish-delivery.ts'
import { getDelivery } from '#domain/hosts/webhooks/get-delivery.ts'
import { getIntegration } from '#domain/hosts/integrations/get-integration.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { WebhookDelivery } from '#domain/hosts/webhooks/webhook-delivery.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'

/** Reads what a code host has sent. What cannot be read will not be better another time. */
export const readDelivery: JobHandler = async (app, job) => {
  const delivery = await getDelivery(app.pool, job)
  if (!delivery) return
  const { integrationId } = delivery
  await finishDelivery(app.pool, { job, integrationId, ...(await read(app, { ...delivery, job })) })
}

async function read(
  { pool, webhooks, logger }: App,
  { integrationId, event, body, job }: WebhookDelivery & { job: ClaimedJob },
) {
  const { organizationId } = job
  try {
    const { kind } = await getIntegration(pool, { organizationId, integrationId })
    const news = webhooks[kind].read(event, body)
    return { news, outcome: news.length ? null : 'ignored' }
  } catch (error) {
    if (isConnectionError(error)) throw error
    logger.warn({ err: error, organizationId, deliveryId: job.ref, event }, 'could not read a webhook')
    return { news: [], outcome: 'cannot be read' }
  }
}
