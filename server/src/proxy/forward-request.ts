import { request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { dialOnly } from '#base/network/resolve-host.ts'
import type { EgressReason } from '#domain/repos/egress/egress.ts'
import type { Carried, Found, EgressPolicy, Patience, Target } from './egress-policy.ts'
import { refuse, sentenceFor } from './refuse.ts'

/** Between two neighbours only; and what is said anew for the next one. */
const hopByHop = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Plain HTTP: the request is read, checked, and written anew, so that nothing but it reaches the host. What it is
 * redirected to it asks for again.
 */
export async function forwardRequest(
  policy: EgressPolicy,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '')
  const target = { host: url?.hostname || (request.url ?? ''), port: Number(url?.port || 80) }
  const fault = url ? findFault(url, request) : 'malformed_name'
  const found = fault ? await policy.refuse(target, fault) : await policy.check(target)
  const passed = typeof found === 'string' ? found : await policy.pass(found)
  if (typeof found === 'string' || typeof passed === 'string') {
    const reason = typeof found === 'string' ? found : (passed as EgressReason)
    return refuse(response, { status: 403, reason: sentenceFor(target, reason), about: reason })
  }
  await carry(request, response, { patience: policy.patience, target, found, url: url!, onEnd: passed })
}

function findFault(url: URL, request: IncomingMessage): EgressReason | null {
  if (url.protocol !== 'http:') return 'not_plain_http'
  if (url.username || url.password) return 'credentials_in_url'
  const [host, ...others] = request.headersDistinct['host'] ?? []
  if (others.length || URL.parse(`http://${host}`)?.host !== url.host) return 'host_mismatch'
  const codings = request.headersDistinct['transfer-encoding']
  return codings && codings.join().toLowerCase() !== 'chunked' ? 'unclear_length' : null
}

type Carry = { patience: Patience; target: Target; found: Found; url: URL; onEnd: (carried: Carried) => void }

async function carry(
  request: IncomingMessage,
  response: ServerResponse,
  { patience, target, found, url, onEnd }: Carry,
): Promise<void> {
  const { name, port, addresses } = found
  const isChunked = request.headers['transfer-encoding'] !== undefined
  const upstream = send({
    host: name,
    port,
    lookup: dialOnly(addresses),
    agent: false,
    method: request.method,
    path: url.pathname + url.search,
    headers: ['Host', url.host, ...endToEnd(request), ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])],
    setHost: false,
    timeout: patience.idleMs,
  })
  upstream.on('timeout', () => upstream.destroy())
  response.on('close', () => upstream.destroy())
  if (response.destroyed) upstream.destroy()
  const dialling = setTimeout(() => upstream.destroy(), patience.dialMs)
  let carried: () => Carried = () => ({ sentBytes: 0, receivedBytes: 0, reason: 'unreachable' })
  upstream.on('socket', (socket) => {
    socket.once('connect', () => {
      clearTimeout(dialling)
      carried = () => ({ sentBytes: socket.bytesWritten, receivedBytes: socket.bytesRead })
    })
  })
  try {
    const answered = awaitAnswer(upstream)
    const isEmpty = !isChunked && request.headers['content-length'] === undefined
    if (isEmpty) upstream.end()
    else request.pipe(upstream)
    const answer = await answered
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer))
    await pipeline(answer, response)
  } catch {
    refuse(response, { status: 502, reason: sentenceFor(target, 'unreachable'), about: 'unreachable' })
  } finally {
    clearTimeout(dialling)
    upstream.destroy()
    onEnd(carried())
  }
}

function awaitAnswer(upstream: ReturnType<typeof send>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    upstream.on('response', resolve)
    upstream.on('error', reject)
    upstream.on('close', () => reject(new Error('the connection was closed')))
  })
}

/** The headers that are for the other end, as they were written. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return rawHeaders.flatMap((name, index) => {
    const isName = index % 2 === 0
    const lowerCase = name.toLowerCase()
    return isName && !hopByHop.has(lowerCase) && !named.includes(lowerCase) ? [name, rawHeaders[index + 1]!] : []
  })
}
