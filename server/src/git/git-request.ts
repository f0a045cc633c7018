import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type GitService = 'upload-pack' | 'receive-pack'

/**
 * What a request to the gateway asks for. `repoName`: of another host with its owner, `acme/web`; or `runs/7`, the repository that is
 * run 7's own. `advertise`: which refs there are; else the request's body is answered.
 */
export type GitRequest = { organizationId: number; repoName: string } & (
  | { service: GitService; advertise: boolean }
  | { lfs: LfsCall }
)

/** What a client of Git LFS asks for; see `serve-lfs.ts`. Of an object its size too, as the batch has named it. */
export type LfsCall =
  | { call: 'batch' | 'verify' | 'locks' }
  | { call: 'download' | 'upload'; pointer: { oid: string; bytes: number } }

/** A request that cannot be answered; said with this status. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

const addresses =
  /^\/git\/([1-9][0-9]{0,15})\/([A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9._-]{1,100}|[A-Za-z0-9][A-Za-z0-9._-]{0,99})\.git\/(info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/[a-z0-9/]{1,100})$/

/** Throws a `Refusal` for what is no request of git's smart protocol. */
export function readGitRequest(request: IncomingMessage): GitRequest {
  // The raw path: nothing in it is decoded, and nothing like `..` is resolved.
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const found = addresses.exec(path)
  const organizationId = Number(found?.[1])
  if (!found || !Number.isSafeInteger(organizationId) || found[2]?.includes('..')) throw notFound()
  const named = { organizationId, repoName: found[2] as string }
  if (isLfs(request)) return { ...named, lfs: readLfsCall(request, found[3]?.slice('info/lfs/'.length) ?? '', query) }
  const advertise = found[3] === 'info/refs'
  const method = advertise ? 'GET' : 'POST'
  if (request.method !== method) throw new Refusal(405, `This address takes ${method}.`, { Allow: method })
  const service = (advertise ? new URLSearchParams(query).get('service') : found[3])?.replace(/^git-/, '')
  if (service !== 'upload-pack' && service !== 'receive-pack') {
    throw new Refusal(403, 'Only the smart protocol is spoken here. Use a newer git.')
  }
  if (!advertise && request.headers['content-type'] !== `application/x-git-${service}-request`) {
    throw new Refusal(415, `The body must be application/x-git-${service}-request.`)
  }
  return { ...named, service, advertise }
}

/** Its clients read refusals as JSON. */
export const isLfs = ({ url = '' }: IncomingMessage) => url.includes('.git/info/lfs/')

function readLfsCall({ method = '' }: IncomingMessage, tail: string, query: string): LfsCall {
  if (/^locks(\/|$)/.test(tail)) return { call: 'locks' }
  const [, oid] = /^objects\/([0-9a-f]{64})$/.exec(tail) ?? []
  const call = oid ? { GET: 'download' as const, PUT: 'upload' as const }[method] : undefined
  if (oid && call) {
    const bytes = Number(new URLSearchParams(query).get('size'))
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Refusal(422, 'The size is no size of a file.')
    return { call, pointer: { oid, bytes } }
  }
  const [, posted] = /^objects\/(batch|verify)$/.exec(tail) ?? []
  if (!posted && !oid) throw new Refusal(404, 'There is nothing of Git LFS at this address.')
  const allowed = oid ? 'GET, PUT' : 'POST'
  if (!posted || method !== 'POST') throw new Refusal(405, `This address takes ${allowed}.`, { Allow: allowed })
  return { call: posted as 'batch' | 'verify' }
}

export const notFound = () => new Refusal(404, 'There is no such repository.')

/** The token: as password with any user name, or as bearer. */
export function readSecret(request: IncomingMessage): string {
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ', 2)
  const isBasic = scheme.toLowerCase() === 'basic'
  const text = isBasic ? Buffer.from(credentials, 'base64').toString() : ''
  const secret = isBasic && text.includes(':') ? text.slice(text.indexOf(':') + 1) : ''
  return scheme.toLowerCase() === 'bearer' ? credentials : secret
}

/** What the client says of the protocol's version, if it is of a form that may be handed on. */
export function readProtocol(request: IncomingMessage): string | null {
  const protocol = request.headers['git-protocol']
  return typeof protocol === 'string' ? readableProtocol(protocol) : null
}

export const readableProtocol = (text: string) => (/^[a-z0-9=:,-]{1,64}$/i.test(text) ? text : null)

/** The body, unpacked. Ended by the signal, since a broken request does not end what it is piped into. */
export function readBody(request: IncomingMessage, signal: AbortSignal): AsyncIterable<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw new Refusal(415, 'The body may be compressed with gzip alone.')
  }
  const body: Readable = encoding === 'identity' ? request : request.pipe(createGunzip())
  // What is wrong with it is told to whoever reads it, who may not have begun yet.
  body.on('error', () => {})
  signal.addEventListener('abort', () => body.destroy(), { once: true })
  return chunksOf(body)
}

/** Stopping early leaves the stream as it is: to destroy it would cut the connection before the answer is sent. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (error) {
    throw new Refusal(400, `The body cannot be read: ${(error as Error).message}.`)
  }
}

/** Throws when there is more than fits. */
export async function* upTo(bytesMax: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Refusal(413, `The body is larger than ${bytesMax} bytes.`)
    yield chunk
  }
}
