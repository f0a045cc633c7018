import { pipeline, Readable, Transform } from 'node:stream'
import { McpFault, type SendChecked } from './mcp.ts'
import { mcpLimits } from './limits.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const withoutBody = new Set([204, 205, 304])

/** `fetch` for the protocol's library: to checked hosts alone, without redirects, and with a limit of bytes for each answer. */
export function dialFetch(send: SendChecked, { asker, bytesMax }: { asker: number; bytesMax: number }): Fetch {
  return async (url, init = {}) => {
    if (init.body !== undefined && init.body !== null && typeof init.body !== 'string')
      throw new McpFault('A request of the protocol is a text.')
    const answer = await send({
      url: new URL(url),
      asker,
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body ? { body: init.body } : {}),
      timeoutMs: mcpLimits.lifetimeMs,
      ...(init.signal ? { signal: init.signal } : {}),
    })
    const { statusCode: status = 502, statusMessage: statusText = '' } = answer
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) headers.set(name, String(value))
    if (withoutBody.has(status)) answer.resume()
    const isStream = headers.get('content-type')?.includes('event-stream') ?? false
    const body = withoutBody.has(status)
      ? null
      : Readable.toWeb(pipeline(answer, limited(bytesMax, isStream), () => {}))
    return new Response(body as ReadableStream | null, { status, statusText, headers })
  }
}

function limited(bytesMax: number, isStream: boolean): Transform {
  let bytes = 0
  let lines = 0
  return new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length
      if (isStream) lines += countLines(piece)
      if (lines > mcpLimits.answerLinesMax)
        done(new McpFault(`It sent more than ${mcpLimits.answerLinesMax} lines for one request.`))
      else if (bytes > bytesMax) done(new McpFault(`It sent more than ${bytesMax} bytes for one request.`))
      else done(null, piece)
    },
  })
}

/** As an event stream ends them. */
function countLines(piece: Buffer): number {
  let lines = 0
  for (const byte of piece) if (byte === 10 || byte === 13) lines++
  return lines
}
