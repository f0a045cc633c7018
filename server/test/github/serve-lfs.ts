import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GitHubRequest, GitHubState } from './answer-request.ts'
import { authorize, findCaller, sees } from './authorize.ts'
import { GitHubError } from './github-error.ts'
import { findRepository, type Caller, type LfsLink, type Repository, type World } from './world.ts'

const batchPath = /^\/([^/]+)\/([^/]+)\.git\/info\/lfs\/objects\/batch$/
const verifyPath = '/lfs/verify'
const type = 'application/vnd.git-lfs+json'

export const isLfs = ({ pathname }: URL): boolean => batchPath.test(pathname) || pathname === verifyPath

export type LfsState = Pick<GitHubState, 'world' | 'requests' | 'takeFault'>
type Pointer = { oid: string; size: number }

/** Git LFS as GitHub speaks it: here is asked where content lies, which is another origin, and is told what has come there. */
export async function serveLfs(
  state: LfsState,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await answerLfs(state, { request, response, path: url.pathname }, async (seen) => {
    const body = JSON.parse((await readAll(request)).toString()) as Record<string, unknown>
    if (request.method !== 'POST') throw new GitHubError(404, 'Not Found')
    if (!request.headers['content-type']?.startsWith(type)) throw new GitHubError(415, `Content-Type must be ${type}`)
    const { accept } = request.headers
    if (!accept?.includes(type)) throw new GitHubError(406, `Accept must be ${type}`)
    if (url.pathname === verifyPath) return verify(state.world, request, body)
    const [, owner = '', name = ''] = batchPath.exec(url.pathname) ?? []
    const { caller, repository } = await findFor(state.world, { request, owner, name, operation: body['operation'] })
    seen.by = caller && 'token' in caller ? caller.token.account.login : null
    return batch(state.world, repository, body)
  })
}

/** Answers with what `serve` says, with a fault that a test wants, or with what is wrong. */
export async function answerLfs(
  { requests, takeFault }: LfsState,
  { request, response, path }: { request: IncomingMessage; response: ServerResponse; path: string },
  serve: (seen: GitHubRequest) => Promise<Buffer | object>,
): Promise<void> {
  const seen: GitHubRequest = { method: request.method ?? 'GET', path, status: 0, by: null }
  requests.push(seen)
  const fault = takeFault(`${seen.method} ${path}`)
  try {
    if (fault?.kind === 'hang_up') return void response.destroy()
    if (fault?.kind === 'status') {
      await readAll(request)
      throw new GitHubError(fault.status, fault.message ?? 'Server Error')
    }
    if (fault?.kind === 'meanwhile') await fault.happens()
    if (fault?.kind === 'in_front') {
      await readAll(request)
      return void response.writeHead(200, { 'content-type': fault.type }).end(fault.text)
    }
    const answer = await serve(seen)
    seen.status = 200
    const isContent = Buffer.isBuffer(answer)
    response.writeHead(200, { 'content-type': isContent ? 'application/octet-stream' : type })
    response.end(isContent ? answer : JSON.stringify(answer))
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    seen.status = error.status
    const asking = error.status === 401 && { 'lfs-authenticate': 'Basic realm="GitHub"' }
    response.writeHead(error.status, { 'content-type': type, ...asking })
    response.end(JSON.stringify({ message: error.message }))
  }
}

export const readAll = async (request: IncomingMessage): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))

type FindFor = { request: IncomingMessage; owner: string; name: string; operation: unknown }

async function findFor(
  world: World,
  { request, owner, name, operation }: FindFor,
): Promise<{ caller: Caller; repository: Repository }> {
  const caller = await findCaller(world, request.headers.authorization)
  const found = findRepository(world, owner, name)
  if (!found || !sees(caller, found.repository)) throw new GitHubError(caller ? 404 : 401, 'Not Found')
  const level = operation === 'upload' ? 'write' : 'read'
  authorize(caller, found.repository, { needs: { contents: level } })
  return { caller, repository: found.repository }
}

function batch(world: World, repository: Repository, body: Record<string, unknown>): object {
  const { operation, transfers = ['basic'], hash_algo = 'sha256', objects } = body
  const isKnown = operation === 'download' || operation === 'upload'
  const isFit = Array.isArray(objects) && objects.every(isPointer) && (transfers as string[]).includes('basic')
  if (!isKnown || !isFit || hash_algo !== 'sha256') throw new GitHubError(422, 'Invalid batch request')
  if (objects.length > 100) throw new GitHubError(413, 'Too many objects')
  const answers = objects.map(({ oid, size }) => {
    const stored = repository.lfs.get(oid)
    const link = (may: LfsLink['may']) => makeLink(world, { repository, may, oid, size })
    if (operation === 'upload') return stored ? {} : { actions: { upload: link('upload'), verify: link('verify') } }
    if (!stored) return { error: { code: 404, message: 'Object does not exist on the server' } }
    return { actions: { download: link('download') } }
  })
  const named = objects.map(({ oid, size }, n) => ({ oid, size, ...answers[n] }))
  return { objects: named }
}

const isPointer = (value: unknown): value is Pointer => {
  const { oid, size } = (value ?? {}) as Partial<Pointer>
  return typeof oid === 'string' && /^[0-9a-f]{64}$/.test(oid) && Number.isSafeInteger(size)
}

function makeLink(world: World, link: LfsLink): object {
  const signature = randomBytes(20).toString('hex')
  world.lfsLinks.set(signature, link)
  const expires = { expires_at: new Date(Date.now() + 3_600_000).toISOString(), expires_in: 3_600 }
  const at = `${world.logsUrl}/lfs/${link.oid}`
  if (link.may === 'download') return { href: `${at}?sig=${signature}`, ...expires }
  const isVerify = link.may === 'verify'
  const authorization = isVerify ? `RemoteAuth ${signature}` : `AWS4-HMAC-SHA256 Signature=${signature}`
  return { href: isVerify ? world.url + verifyPath : at, header: { Authorization: authorization }, ...expires }
}

async function verify(world: World, request: IncomingMessage, { oid, size }: Record<string, unknown>): Promise<object> {
  const link = world.lfsLinks.get(request.headers.authorization?.replace(/^RemoteAuth /, '') ?? '')
  if (link?.may !== 'verify' || link.oid !== oid) throw new GitHubError(403, 'Forbidden')
  if (link.repository.lfs.get(link.oid)?.length !== size) throw new GitHubError(404, 'Object not found')
  return {}
}
