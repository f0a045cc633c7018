import type { IncomingMessage } from 'node:http'
import { modelLimits } from '#base/models/model-limits.ts'
import { tooLarge, type Encoding } from './prepare-call.ts'
import { CallRefused } from './refuse-call.ts'
import type { Room } from './room.ts'

/** The body of a call as it came. Room is taken for it, which the caller gives back. Throws `CallRefused`. */
export async function readCall(request: IncomingMessage, room: Room): Promise<{ bytes: Buffer; encoding: Encoding }> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'zstd') {
    const message = `A body may be packed as gzip or zstd, not as ${encoding}.`
    throw new CallRefused({ status: 415, code: 'invalid_request_error', message })
  }
  // Whoever announces too much is not waited for.
  if (Number(request.headers['content-length'] ?? 0) > modelLimits.modelCallBytesMax) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    request.destroy()
  }, modelLimits.modelCallArrivesMs)
  try {
    // Who is refused while sending is told so.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if ((bytes += chunk.length) > modelLimits.modelCallBytesMax) throw tooLarge()
      room.take(chunk.length)
      chunks.push(chunk)
    }
    return { bytes: Buffer.concat(chunks), encoding }
  } catch (error) {
    throw isLate ? tooLate() : error
  } finally {
    clearTimeout(timer)
  }
}

function tooLate(): CallRefused {
  const message = `The body has not arrived within ${modelLimits.modelCallArrivesMs / 1_000} s.`
  return new CallRefused({ status: 408, code: 'invalid_request_error', message })
}
