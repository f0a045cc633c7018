import type { Webhook } from '#adapters/codehosts/webhook.ts'

/** A larger one is taken for JSON by how it begins. */
const parsedBytesMax = 1024 * 1024

/** GitHub sends JSON or, where nothing else was chosen, a form whose field `payload` is that JSON. Null where there is no JSON. */
export function unwrapWebhook({ headers, body }: Webhook): Buffer | null {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type'] ?? ''))
  const content = isForm ? Buffer.from(new URLSearchParams(body.toString()).get('payload') ?? '') : body
  return isJson(content) ? content : null
}

function isJson(content: Buffer): boolean {
  if (content.length > parsedBytesMax) return content[0] === '{'.charCodeAt(0)
  try {
    const value: unknown = JSON.parse(content.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
