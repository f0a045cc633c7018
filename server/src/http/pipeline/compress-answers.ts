import { gzip } from 'node:zlib'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { acceptsCoding } from './accepts-coding.ts'
import { compressionLimits } from './limits.ts'

/**
 * Compresses answers of JSON for clients that take gzip: in other threads, and only as many at once as there is room for.
 * It is given to the endpoints whose answers may be compressed. The length of a compressed answer says something about what is
 * in it, so an endpoint that answers a secret beside a text that the caller chose is not among them (BREACH).
 */
export function compressAnswers(): onSendHookHandler {
  let atWork = 0
  return (request, reply, payload, done) => {
    if (reply.statusCode !== 204) reply.header('vary', 'accept-encoding')
    const isWanted =
      payload !== '' &&
      atWork < compressionLimits.atOnceMax &&
      acceptsCoding(request.headers['accept-encoding'], 'gzip') &&
      isJson(reply)
    const bytes = isWanted ? bytesOf(payload) : undefined
    if (!bytes) return done(null, payload)
    atWork++
    gzip(bytes, { level: compressionLimits.level }, (error, compressed) => {
      atWork--
      if (error) return done(null, payload)
      reply.header('content-encoding', 'gzip')
      const tag = reply.getHeader('etag')
      if (typeof tag === 'string') reply.header('etag', compressedTag(tag))
      done(null, compressed)
    })
  }
}

const tagEnding = '-gzip"'

/** What is sent in another coding has another tag, since a tag in this form stands for each byte. */
const compressedTag = (tag: string) => `${tag.slice(0, -1)}${tagEnding}`

/** The tag of what was compressed; any other as it is. */
export const plainTag = (tag: string): string => (tag.endsWith(tagEnding) ? `${tag.slice(0, -tagEnding.length)}"` : tag)

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).split(';')[0]?.endsWith('json') ?? false

/** What can be compressed and is worth it. */
function bytesOf(payload: unknown): Buffer | undefined {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  return bytes.length > compressionLimits.bytesMin && bytes.length <= compressionLimits.bytesMax ? bytes : undefined
}
