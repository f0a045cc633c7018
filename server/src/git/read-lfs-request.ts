import type { LfsPointer } from '#adapters/codehosts/lfs-store.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import type { HttpVisit } from './git-gateway.ts'
import { readBody, Refusal, upTo } from './git-request.ts'

export type LfsRequest = { operation: 'download' | 'upload'; objects: LfsPointer[] }

/** The body of a batch, or the one object of a verification. Throws a `Refusal` for what is neither. */
export async function readLfsRequest({ request, gone }: Pick<HttpVisit, 'request' | 'gone'>): Promise<LfsRequest> {
  const chunks = await Array.fromAsync(upTo(lfsLimits.batchBytesMax, readBody(request, gone)))
  return parseLfsRequest(Buffer.concat(chunks).toString())
}

export function parseLfsRequest(text: string): LfsRequest {
  const body = parseJson(text)
  const { operation = 'download', transfers, hash_algo: hash = 'sha256', objects = [body] } = body
  if (operation !== 'download' && operation !== 'upload') throw new Refusal(422, 'The operation is unknown.')
  if (hash !== 'sha256') throw new Refusal(409, 'Objects are named by their SHA-256 alone.')
  if (Array.isArray(transfers) && transfers.length && !transfers.includes('basic'))
    throw new Refusal(422, 'Only the basic transfer is spoken here.')
  const { batchObjectsMax } = lfsLimits
  if (!Array.isArray(objects)) throw new Refusal(422, 'The objects are missing.')
  if (objects.length > batchObjectsMax) throw new Refusal(413, `A batch may have ${batchObjectsMax} objects.`)
  return { operation, objects: objects.map(readPointer) }
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  } catch {
    // As where it is something else.
  }
  throw new Refusal(400, 'The body must be an object in JSON.')
}

function readPointer(object: unknown): LfsPointer {
  const { oid, size } = (object ?? {}) as { oid?: unknown; size?: unknown }
  if (typeof oid !== 'string' || !/^[0-9a-f]{64}$/.test(oid))
    throw new Refusal(422, 'An object is named by its SHA-256, in hex.')
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw new Refusal(422, `The size of the object ${oid} is no size of a file.`)
  return { oid, bytes: size }
}
