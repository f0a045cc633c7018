import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { authorize, findCaller, sees } from './authorize.ts'
import type { Asked as Found, Conform } from './conform/conform.ts'
import { GitHubError, notFound } from './github-error.ts'
import { matchRoute, type Call, type Reply, type Route } from './route.ts'
import { findRepository, fullName, inTurn, type Caller, type Repository, type World } from './world.ts'

/** What happens to requests instead of being answered. */
export type GitHubFault =
  | { kind: 'secondary_limit'; retryAfterSeconds: number }
  | { kind: 'primary_limit'; resetsAt: Date; now: Date }
  | { kind: 'status'; status: number; message?: string }
  | { kind: 'hang_up' }
  /** Answered by something in front of it, with this text. */
  | { kind: 'in_front'; text: string; type: string }
  /** Something happens right before it is answered as always. */
  | { kind: 'meanwhile'; happens: () => Promise<unknown> }
/** `path` is without the prefix: `/repos/acme/app/pulls`. */
export type GitHubRequest = { method: string; path: string; status: number; by: string | null }

export type GitHubState = {
  world: World
  routes: Route[]
  conform: Conform
  requests: GitHubRequest[]
  /** What is to happen to this one. */
  takeFault: (request: string) => GitHubFault | undefined
  /** Where redirects have led. */
  ledTo: Set<string>
  /** Requests of each caller so far. */
  used: Map<string, number>
}
const limit = 5_000

/** One request of the API. `path` is what comes after the prefix. */
export async function answerRequest(
  state: GitHubState,
  { request, response, path }: { request: IncomingMessage; response: ServerResponse; path: string },
): Promise<void> {
  const method = request.method ?? 'GET'
  const body = await readBody(request)
  const seen: GitHubRequest = { method, path: path.split('?', 1)[0] ?? '', status: 0, by: null }
  state.requests.push(seen)
  const fault = state.takeFault(`${method} ${seen.path}`)
  if (fault?.kind === 'hang_up') return void response.destroy()
  if (fault?.kind === 'in_front') {
    seen.status = 200
    return void response.writeHead(200, { 'content-type': fault.type }).end(fault.text)
  }
  if (fault?.kind === 'meanwhile') await fault.happens()
  const asked: Asked = { request, method, path, body, seen, fault, found: null }
  const plain = await replyTo(state, asked).catch((error: unknown): Reply => {
    if (!(error instanceof GitHubError)) throw error
    const documentation_url = 'https://docs.github.com/rest'
    const output = { message: error.message, ...error.more, documentation_url, status: String(error.status) }
    return { status: error.status, headers: error.headers, body: output }
  })
  const reply = asked.found ? state.conform.answer(asked.found, plain) : plain
  seen.status = send({ request, response, reply, limits: limitHeaders(state, seen.by ?? '', reply) })
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
  try {
    return (text ? JSON.parse(text) : {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

type Asked = {
  request: IncomingMessage
  method: string
  path: string
  body: Record<string, unknown>
  seen: GitHubRequest
  fault: GitHubFault | undefined
  /** Which operation it is, as soon as that is known. */
  found: Found | null
}

async function replyTo(state: GitHubState, asked: Asked): Promise<Reply> {
  const { request, method, path, body, seen, fault } = asked
  const { world } = state
  if (!request.headers['user-agent']) throw new GitHubError(403, 'Request forbidden by administrative rules.')
  const by = await findCaller(world, request.headers.authorization)
  seen.by = by && ('app' in by ? by.app.slug : by.token.account.login)
  refuseBy(fault, by)
  const url = new URL(world.apiUrl + path)
  const bare = url.pathname.slice(new URL(world.apiUrl).pathname.replace(/\/$/, '').length)
  const named = nameOf(world, bare)
  const match = matchRoute(state.routes, method, named.path)
  if (!match) throw notFound()
  const { route, params } = match
  asked.found = { method, url, route, params, body }
  if (isAdapter(request))
    state.conform.request(asked.found, {
      version: request.headers['x-github-api-version'],
      isLed: state.ledTo.has(url.href),
    })
  if (route.only === 'app' && !(by && 'app' in by)) throw new GitHubError(401, 'A JSON web token could not be decoded')
  const accept = request.headers.accept ?? ''
  const call: Omit<Call, 'repository'> = { world, method, url, params, body, accept, by }
  if (!params['owner']) return route.answer(call as Call)
  const found = findRepository(world, params['owner'], params['repo'] ?? '')
  if (!found) throw notFound()
  const { repository } = found
  if (found.isFormer) {
    const reply = moved({ method, repository, by, url, bare })
    state.ledTo.add(reply.headers['location'])
    return reply
  }
  if (route.only !== 'app') authorize(by, repository, route)
  const answer = async () => route.answer({ ...call, repository })
  return method === 'GET' ? answer() : inTurn(repository, answer)
}

/** People in tests ask for what is wrong, too. */
const isAdapter = (request: IncomingMessage) => request.headers['user-agent']?.startsWith('runwright ') ?? false

/** A repository may be named by its number, too, which outlives its names. */
function nameOf(world: World, path: string): { path: string } {
  const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? []
  const repository = id && world.repositories.find((each) => String(each.id) === id)
  return { path: repository ? `/repos/${fullName(repository)}${rest}` : path }
}

type Moved = { method: string; repository: Repository; by: Caller; url: URL; bare: string }

function moved({ method, repository, by, url, bare }: Moved): Reply & { headers: { location: string } } {
  if (!sees(by, repository)) throw notFound()
  const to = new URL(url)
  const prefix = url.pathname.slice(0, url.pathname.length - bare.length)
  to.pathname = `${prefix}/repositories/${repository.id}${bare.replace(/^\/repos\/[^/]+\/[^/]+/, '')}`
  const status = method === 'GET' || method === 'HEAD' ? 301 : 307
  const message = status === 301 ? 'Moved Permanently' : 'Temporary Redirect'
  return { status, headers: { location: to.href }, body: { message, url: to.href } }
}

function refuseBy(fault: GitHubFault | undefined, by: Caller): void {
  if (!fault || fault.kind === 'meanwhile' || fault.kind === 'hang_up' || fault.kind === 'in_front') return
  if (fault.kind === 'status') throw new GitHubError(fault.status, fault.message ?? 'Server Error')
  const installation = by && 'token' in by ? by.token.installation?.id : undefined
  if (fault.kind === 'primary_limit')
    throw new GitHubError(
      403,
      `API rate limit exceeded for installation ID ${installation}.`,
      {},
      {
        date: fault.now.toUTCString(),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(fault.resetsAt.getTime() / 1_000)),
      },
    )
  throw new GitHubError(
    403,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    {},
    { 'retry-after': String(fault.retryAfterSeconds) },
  )
}

function limitHeaders(state: GitHubState, by: string, reply: Reply): Record<string, string> {
  const used = (state.used.get(by) ?? 0) + 1
  state.used.set(by, used)
  const reset = Math.floor(Date.now() / 3_600_000) * 3_600 + 3_600
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(1, limit - used)),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(reset),
    'x-ratelimit-resource': 'core',
    ...reply.headers,
  }
}

type Send = { request: IncomingMessage; response: ServerResponse; reply: Reply; limits: Record<string, string> }

function send({ request, response, reply, limits }: Send): number {
  const { status = 200, body, text = body === undefined ? '' : JSON.stringify(body) } = reply
  const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`
  const headers = {
    'x-github-request-id': 'ABCD:1:2:3:4',
    'x-github-media-type': 'github.v3; format=json',
    ...(text && { 'content-type': 'application/json; charset=utf-8' }),
    ...limits,
  }
  const isGet = request.method === 'GET' && status === 200
  if (isGet && request.headers['if-none-match']?.includes(etag.slice(2))) {
    response.writeHead(304, { ...headers, etag }).end()
    return 304
  }
  response.writeHead(status, { ...headers, ...(isGet && { etag }) }).end(text)
  return status
}
