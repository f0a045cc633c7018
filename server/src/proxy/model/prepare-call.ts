import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { JsonObject } from '#base/json.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { refused } from './call-parts.ts'
import { confineCall } from './confine-call.ts'
import { estimateTokens, tokensAtMost } from './estimate-tokens.ts'
import type { ModelPath } from './find-model-path.ts'
import { CallRefused } from './refuse-call.ts'
import { scanJson } from './scan-json.ts'
import { splitOutput, writeHead, type OutputWish } from './split-output.ts'

export type Encoding = 'identity' | 'gzip' | 'zstd'
export type RawCall = { at: ModelPath; bytes: Uint8Array; encoding: Encoding }

/** A call that may be sent on, as far as that can be seen from itself. */
export type PreparedCall = {
  /** As the body names it. */
  model: string | null
  /** What is sent, without its end. */
  head: Uint8Array
  /** Of an unpacked body. */
  bytes: number
  wish: OutputWish
  /** What the model will read: roughly, and at most. */
  inputTokens: number
  inputTokensMax: number
  /** Some of it is to be kept for an hour. */
  isKeptAnHour: boolean
}

/** Unpacks a body, reads it, takes out what may not be sent on, and counts it. Throws `CallRefused`. */
export function prepareCall({ at, bytes: packed, encoding }: RawCall): PreparedCall {
  const bytes = unpack(packed, encoding)
  const excess = scanJson(bytes, { depthMax: modelLimits.modelCallDepthMax, valuesMax: modelLimits.modelCallValuesMax })
  if (excess) throw tooMany[excess]
  const body = confineCall(at, parse(bytes))
  const { model = null } = body
  const { wish, rest } = splitOutput(at, body)
  // What counts nothing lets nothing be written either.
  const head = Buffer.from(at.isBilled ? writeHead(at, rest) : JSON.stringify(body).slice(0, -1))
  return {
    model: typeof model === 'string' ? model : null,
    head,
    bytes: bytes.length,
    wish,
    inputTokens: estimateTokens(rest),
    inputTokensMax: tokensAtMost(rest, head.length),
    isKeptAnHour: head.includes('"ttl":"1h"'),
  }
}

const unpackers = { gzip: gunzipSync, zstd: zstdDecompressSync }

function unpack(packed: Uint8Array, encoding: Encoding): Buffer {
  if (encoding === 'identity') return Buffer.from(packed.buffer, packed.byteOffset, packed.length)
  try {
    return unpackers[encoding](packed, { maxOutputLength: modelLimits.modelCallBytesMax })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw refused('The body cannot be unpacked.')
  }
}

function parse(bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {
    // Told below.
  }
  throw refused('The body is no JSON object.')
}

const tooMany = {
  depth: refused(`The body is nested too deep: at most ${modelLimits.modelCallDepthMax} levels.`),
  values: refused(`The body is made of too many values: at most ${modelLimits.modelCallValuesMax}.`),
}

export function tooLarge(): CallRefused {
  const message = `The request is larger than ${modelLimits.modelCallBytesMax / 2 ** 20} MiB.`
  return new CallRefused({ status: 413, code: 'request_too_large', message })
}
