import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'

/** Checked before the body is looked at: a JSON body is UTF-8 and not compressed. Throws `unsupported_media_type`. */
export function checkBodyType(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', { message: 'The body must not be compressed.' })
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new AppError('unsupported_media_type', { message: 'The body must be UTF-8.' })
  }
}

/** Ends a request whose body does not arrive in time. The server's own timeout is longer, because of pushes. */
export function limitBodyTime(reply: FastifyReply, payload: Readable, ms: number = limits.bodyMs): void {
  // Whoever is gone already closes no more.
  if (reply.raw.closed) return
  const timer = setTimeout(() => payload.emit('error', new AppError('request_timeout')), ms)
  const stop = () => clearTimeout(timer)
  payload.once('end', stop)
  // A body that nobody reads has no end.
  reply.raw.once('close', stop)
}

/** A body as JSON. Throws `invalid_request` for what is none, and for what PostgreSQL or a later reader cannot hold. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  checkShape(bytes)
  const value = parse(text)
  checkValue(value)
  return value
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw invalid(['body'], 'is not valid UTF-8', 'utf8', cause)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(['body'], `is not valid JSON: ${withoutText((cause as Error).message)}`, 'json', cause)
  }
}

/** What it says of where the fault lies, without the text around it: that may be a secret. */
function withoutText(message: string): string {
  return message.endsWith('" is not valid JSON') || message.endsWith('"... is not valid JSON')
    ? message.replace(/, (?:\.{3})?".*/s, '')
    : message
}

/**
 * Before parsing, which takes time for each value rather than for each byte. Throws `invalid_request` for a body of too
 * many values or levels.
 */
function checkShape(bytes: Buffer): void {
  let [depth, values, isInText] = [0, 0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isInText) {
      if (byte === sign.backslash) at++
      else if (byte === sign.quote) isInText = false
      continue
    }
    if (byte === sign.quote) isInText = true
    else if (byte === sign.comma) values++
    else if (byte === sign.braceEnd || byte === sign.bracketEnd) depth--
    else if (byte === sign.brace || byte === sign.bracket) {
      values++
      if (++depth > limits.jsonDepthMax)
        throw invalid(['body'], `is nested deeper than ${limits.jsonDepthMax} levels`, 'depth')
    }
    if (values > limits.jsonValuesMax)
      throw invalid(['body'], `holds more than ${limits.jsonValuesMax} values`, 'values')
  }
}

const sign = { quote: 34, comma: 44, bracket: 91, backslash: 92, bracketEnd: 93, brace: 123, braceEnd: 125 }

/** Throws for the first text or number that cannot be kept; its place is found on the way back. */
function checkValue(value: unknown): void {
  const fault = findFault(value)
  if (fault) throw invalid(['body', ...fault.loc.reverse()], fault.msg, fault.type)
}

type Found = { loc: (string | number)[]; msg: string; type: string }

function findFault(value: unknown): Found | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : badText()
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { loc: [], msg: 'is too large a number', type: 'number' }
  if (value === null || typeof value !== 'object') return undefined
  const isList = Array.isArray(value)
  for (const key of Object.keys(value)) {
    if (!isList && !isStorable(key)) return badText()
    const found = findFault((value as Record<string, unknown>)[key])
    if (!found) continue
    found.loc.push(isList ? Number(key) : key)
    return found
  }
  return undefined
}

const badText = (): Found => ({ loc: [], msg: 'holds a NUL or half of a surrogate pair', type: 'text' })

/** PostgreSQL holds neither NUL nor a lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function invalid(loc: (string | number)[], msg: string, type: string, cause?: unknown): AppError {
  return new AppError('invalid_request', { message: `${loc.join('.')} ${msg}.`, detail: [{ loc, msg, type }], cause })
}
