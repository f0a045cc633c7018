import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Webhook, WebhookHead } from '#adapters/codehosts/webhook.ts'

/** By `X-Hub-Signature-256`; the older signature counts for nothing. */
export function verifyWebhook({ headers, body }: Webhook, secrets: readonly string[]): WebhookHead | null {
  const event = headers['x-github-event']
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(String(headers['x-hub-signature-256'] ?? '')) ?? []
  if (hex === undefined || typeof event !== 'string') return null
  const signature = Buffer.from(hex, 'hex')
  // Each of them, so that the time says nothing of which one it was.
  const fits = secrets.filter((secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(body).digest(), signature),
  )
  if (!fits.length) return null
  const delivery = headers['x-github-delivery']
  return { delivery: typeof delivery === 'string' && delivery !== '' ? delivery : null, event }
}
