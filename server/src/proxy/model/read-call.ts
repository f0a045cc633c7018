import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import { CallRefused } from './refuse-call.ts'

/** What one sandbox sends at once must not fill the worker's memory. */
export type Room = { bytes: number }

const unpack = { gzip: promisify(gunzip), zstd: promisify(zstdDecompress) }

/** The body of a call, unpacked. Room is taken for it, which the caller gives back. Throws `CallRefused`. */
export async function readCall(request: IncomingMessage, room: Room): Promise<{ body: JsonObject; bytes: number }> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'zstd') {
    const message = `A body may be packed as gzip or zstd, not as ${encoding}.`
    throw new CallRefused({ status: 415, code: 'invalid_request_error', message })
  }
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      room.bytes += chunk.length
      if (bytes > limits.modelCallBytesMax) throw tooLarge()
      if (room.bytes > limits.modelCallsBytesMax) throw tooMuch()
      chunks.push(chunk)
    }
    const packed = Buffer.concat(chunks)
    const options = { maxOutputLength: limits.modelCallBytesMax }
    const plain = encoding === 'identity' ? packed : await unpack[encoding](packed, options).catch(refuseUnpacking)
    room.bytes += plain.length - bytes
    bytes = plain.length
    if (room.bytes > limits.modelCallsBytesMax) throw tooMuch()
    return { body: parse(plain), bytes }
  } catch (error) {
    room.bytes -= bytes
    throw error
  }
}

function parse(bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {
    // Told below.
  }
  throw new CallRefused({ status: 400, code: 'invalid_request_error', message: 'The body is no JSON object.' })
}

function refuseUnpacking(error: NodeJS.ErrnoException): never {
  if (error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
  throw new CallRefused({ status: 400, code: 'invalid_request_error', message: 'The body cannot be unpacked.' })
}

function tooLarge(): CallRefused {
  const message = `The request is larger than ${limits.modelCallBytesMax / 2 ** 20} MiB.`
  return new CallRefused({ status: 413, code: 'request_too_large', message })
}

function tooMuch(): CallRefused {
  const message = 'Too many large requests at once. Send one after the other.'
  return new CallRefused({ status: 429, code: 'rate_limit_error', message })
}
