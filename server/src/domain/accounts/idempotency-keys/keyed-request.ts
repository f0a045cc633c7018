import { createHash } from 'node:crypto'

/** A request that may come again, as what it is known by. */
export type KeyedRequest = { organizationId: number | null; digest: Buffer; bodyDigest: Buffer }

export type Asked = {
  organizationId: number | null
  userId: number
  method: string
  path: string
  key: string
  body: unknown
}

/** The same for each sending of the same request: bodies are compared as JSON, so white space and order do not count. */
export function keyedRequest({ organizationId, userId, method, path, key, body }: Asked): KeyedRequest {
  return {
    organizationId,
    digest: digestOf(JSON.stringify([userId, method, path, key])),
    bodyDigest: digestOf(canonicalText(body)),
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** JSON with the names of each object in one order. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText((value as Record<string, unknown>)[name])}`)
  return `{${fields.join(',')}}`
}
