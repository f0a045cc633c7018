import type { SendChecked } from '#adapters/codehosts/dial-out.ts'
import { pipeline, Readable, Transform } from 'node:stream'
import { modelDefaults, type ModelOptions } from './model-options.ts'

/** Of one line of a stream, which libraries gather whole: longer ones no model writes. Who asks bounds the answer. */
const LINE_BYTES_MAX = 8 * 1024 * 1024
const withoutBody = new Set([204, 205, 304])

/** A `fetch` to a server that an organization has named: only where that may be reached, without redirects, and bounded. */
export function dialModel({ send, asker = null, answerMs = modelDefaults.answerMs }: DialOptions): typeof fetch {
  return async (input, init = {}) => {
    if (typeof init.body !== 'string') throw new Error('a request to a model is a text')
    const request = {
      url: new URL(input instanceof Request ? input.url : input),
      asker,
      method: init.method ?? 'POST',
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
      body: init.body,
      timeoutMs: answerMs,
      signal: init.signal ?? undefined,
    }
    const answer = await checkedSend({ send })(request).catch((cause: unknown) => {
      init.signal?.throwIfAborted()
      // As `fetch` says it, so that the libraries take it for what it is.
      throw new TypeError('fetch failed', { cause })
    })
    const { statusCode: status = 502, statusMessage: statusText = '' } = answer
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) headers.set(name, String(value))
    if (withoutBody.has(status)) answer.resume()
    const body = withoutBody.has(status) ? null : Readable.toWeb(pipeline(answer, bounded(), () => {}))
    return new Response(body as ReadableStream | null, { status, statusText, headers })
  }
}

/** What requests to model providers of organizations go by. Throws where a process has none. */
export function checkedSend({ send }: { send?: SendChecked | undefined }): SendChecked {
  if (!send) throw new Error('nothing is set up to reach model providers of organizations')
  return send
}

type DialOptions = Pick<ModelOptions, 'send' | 'asker' | 'answerMs'>

function bounded(): Transform {
  let lineBytes = 0
  return new Transform({
    transform(piece: Buffer, _, done) {
      const end = Math.max(piece.lastIndexOf(10), piece.lastIndexOf(13))
      lineBytes = end < 0 ? lineBytes + piece.length : piece.length - end - 1
      if (lineBytes > LINE_BYTES_MAX) done(new Error('a line of the answer is longer than any may be'))
      else done(null, piece)
    },
  })
}
