import { Agent as PlainAgent, request as requestPlain, type IncomingMessage } from 'node:http'
import { Agent, request as requestSecure } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Asker, Lookup } from '#base/network/names.ts'
import { dialOnly, HostRefused, resolveHost } from '#base/network/resolve-host.ts'
import { HostError } from './code-host.ts'
import { codeHostLimits } from './limits.ts'

export type DialOut = {
  url: URL
  /** For whom: its share of lookups is taken. */
  asker: Asker
  method?: string
  headers?: Record<string, string>
  /** With the length among the headers where it is a stream. */
  body?: string | Readable
  /** How long all of it may take, its answer included. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

const kept = { keepAlive: true, timeout: codeHostLimits.hostIdleMs }

/** `send` of a `Dialer`. */
export type SendChecked = (request: DialOut) => Promise<IncomingMessage>

/**
 * Sends one request to a host that an organization has named, and only if it is one of the public internet, or one that the
 * operator allows. Follows no redirect. Rejects with a `HostError` of `forbidden` or `unavailable`.
 */
export class Dialer {
  readonly #privateHosts: readonly string[]
  readonly #lookup: Lookup
  readonly #agents = { 'http:': new PlainAgent(kept), 'https:': new Agent(kept) }

  constructor({ privateHosts, lookup }: { privateHosts: readonly string[]; lookup: Lookup }) {
    this.#privateHosts = privateHosts
    this.#lookup = lookup
  }

  /** The addresses that a host may be dialled at. */
  async resolve(url: URL, asker: Asker): Promise<[string, ...string[]]> {
    const host = url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '')
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    try {
      return await resolveHost({ host, port, privateHosts: this.#privateHosts, asker, lookup: this.#lookup })
    } catch (error) {
      if (!(error instanceof HostRefused)) throw error
      if (error.why === 'not_found')
        throw new HostError('unavailable', `The host ${host} was not found.`, { cause: error })
      const hint = 'Whoever runs the service can allow it with RUNWRIGHT_PRIVATE_HOSTS.'
      throw new HostError('forbidden', `${host} is not a host of the public internet. ${hint}`, { cause: error })
    }
  }

  async send({
    url,
    asker,
    method = 'GET',
    headers = {},
    body,
    timeoutMs = codeHostLimits.mentionMs,
    signal,
  }: DialOut): Promise<IncomingMessage> {
    const { protocol } = url
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new HostError('forbidden', `${url.origin} is no address of a code host.`)
    const lookup = dialOnly(await this.resolve(url, asker))
    const late = AbortSignal.timeout(timeoutMs)
    const options = {
      method,
      headers: { ...headers, ...(typeof body === 'string' && { 'content-length': String(Buffer.byteLength(body)) }) },
      lookup,
      agent: this.#agents[protocol],
      signal: signal ? AbortSignal.any([late, signal]) : late,
    }
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const request = protocol === 'https:' ? requestSecure(url, options) : requestPlain(url, options)
    request.on('response', resolve).on('error', reject)
    if (body instanceof Readable) pipeline(body, request).catch(reject)
    else request.end(body)
    try {
      return await promise
    } catch (error) {
      signal?.throwIfAborted()
      const why = late.aborted ? 'did not answer in time' : `could not be reached: ${(error as Error).message}`
      throw new HostError('unavailable', `${url.host} ${why}.`, { cause: error })
    }
  }
}

/** All that comes. Rejects with a `HostError` where that is more than fits, or is not all. */
export async function readAnswer(answer: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > bytesMax) throw new HostError('invalid', `The host's answer is larger than ${bytesMax} bytes.`)
      pieces.push(piece)
    }
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError('unavailable', `The host's answer broke off: ${(error as Error).message}.`, { cause: error })
  }
  return Buffer.concat(pieces)
}
