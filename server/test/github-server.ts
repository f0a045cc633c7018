/**
 * A server on loopback that behaves as GitHub does, as far as its public documentation says: over real bare repositories,
 * with git over HTTP. For tests; nothing of the service knows of it.
 *
 * git        GET /{owner}/{repo}.git/info/refs, POST git-upload-pack, git-receive-pack: basic auth with a token as password;
 *            protected branches and workflow files refused per ref, 301 where a repository was renamed
 * Git LFS    POST …/info/lfs/objects/batch (basic transfer), PUT and GET of content at another origin, which refuses tokens, POST /lfs/verify
 * browser    POST /settings/apps/new?state= (form field `manifest`) answers 302 to the manifest's `redirect_url`
 * API, below `/api/v3` (GraphQL: /api/graphql), or at the top with `prefix: ''` (GraphQL: /graphql)
 *   apps     GET /app /app/installations /app/installations/{id} /apps/{slug} /repos/…/installation /installation/repositories,
 *            POST /app/installations/{id}/access_tokens, DELETE /installation/token, POST /app-manifests/{code}/conversions
 *   people   GET /user /user/{id} /user/repos /users/{login} …/collaborators/{login}/permission
 *   …/       GET PATCH, activity, branches, branches/{b}, git/ref/{r}, POST PATCH DELETE git/refs, contents/{path}, git/blobs/{sha},
 *            compare/{a...b}, commits/{r}, commits/{r}/pulls, languages; also as /repositories/{id}/…; 301 and 307 after a rename
 *   pulls    GET POST, GET PATCH {n}, GET PUT {n}/merge, {n}/files, {n}/commits, POST {n}/requested_reviewers
 *   reviews  GET POST {n}/reviews, {n}/comments, POST {n}/comments/{id}/replies, GET PATCH pulls/comments/{id}, GET pulls/comments
 *   issues   GET POST, GET PATCH {n}, {n}/comments, issues/comments?since, issues/events, {n}/events, GET PATCH DELETE issues/comments/{id}, reactions of
 *            all three, {n}/labels, {n}/assignees
 *   checks   POST PATCH GET check-runs, annotations, rerequest, commits/{r}/check-runs, check-suites, check-suites/{id}[/check-runs]
 *   statuses POST statuses/{sha}, GET commits/{r}/statuses, commits/{r}/status
 *   actions  GET jobs/{id}, jobs/{id}/logs (302 to another origin, which refuses an authorization), POST jobs/{id}/rerun,
 *            GET runs/{id}/jobs, POST runs/{id}/rerun-failed-jobs
 *   hooks    GET PATCH /app/hook/config, GET /app/hook/deliveries[/{id}], POST …/attempts, and the same below …/hooks, GET POST PATCH DELETE …/hooks
 *   GraphQL  markPullRequestReadyForReview, convertPullRequestToDraft, revertPullRequest, reviewThreads, resolveReviewThread, viewer
 * webhooks   push, pull_request, issues, issue_comment, pull_request_review(_comment), check_run, check_suite, status, repository,
 *            installation: signed, to Apps and to hooks of repositories, held and shuffled where a test says so (github/deliver.ts)
 * everywhere requests of the adapter, answers and webhooks are held to what GitHub publishes, and answers are made whole by it (github/conform);
 *            JSON web tokens, tokens' repositories and permissions, Link, ETag and 304, rate limit headers, and faults by `fail`
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerRequest, type GitHubState, type GitHubFault, type GitHubRequest } from './github/answer-request.ts'
import { findCaller } from './github/authorize.ts'
import { openDeliveries, type Deliveries } from './github/deliver.ts'
import { openConform } from './github/conform/conform.ts'
import { makeGitHub, type MakeGitHub } from './github/make-github.ts'
import { allRoutes } from './github/routes/all-routes.ts'
import { isGit, serveGit } from './github/serve-git.ts'
import { isLfs, serveLfs } from './github/serve-lfs.ts'
import { storeLfs } from './github/store-lfs.ts'
import { makeWorld, type World } from './github/world.ts'
import { testFolder } from './test-git.ts'

export type GitHubServer = AsyncDisposable &
  MakeGitHub & {
    /** Where people and git go. */
    url: string
    apiUrl: string
    world: World
    deliveries: Deliveries
    requests: GitHubRequest[]
    /** The next `times` requests, of those whose `METHOD /path` fits `on`, go wrong. */
    fail(fault: GitHubFault, options?: { times?: number; on?: RegExp }): void
    /** Resolves once no job runs and nothing is being delivered. */
    settled(): Promise<void>
    /** All that nobody but its holder may ever see: tokens, keys, secrets of hooks. */
    secrets(): string[]
  }

export async function startGitHubServer({ prefix = '/api/v3' }: { prefix?: string } = {}): Promise<GitHubServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const store = createServer((request, response) => {
    if (!request.url?.startsWith('/lfs/')) sendLog(world, request, response)
    else storeLfs(state, request, response).catch(() => response.destroy())
  })
  const [url, logsUrl] = await Promise.all([listen(server), listen(store)])
  const world = makeWorld({ url, apiUrl: url + prefix, logsUrl, folder: await testFolder() })
  const conform = openConform(world)
  const deliveries = openDeliveries(world, conform)
  world.tell = deliveries.tell
  const faults: { fault: GitHubFault; on: RegExp; times: number }[] = []
  const state: GitHubState = {
    world,
    routes: allRoutes(deliveries),
    conform,
    requests: [],
    takeFault: (request) => {
      const found = faults.find((each) => each.times > 0 && each.on.test(request))
      if (found) found.times--
      return found?.fault
    },
    ledTo: new Set(),
    used: new Map(),
  }
  const graphql = prefix ? '/api/graphql' : '/graphql'
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = new URL(request.url ?? '/', url)
    if (isLfs(at)) return serveLfs(state, at, request, response)
    if (isGit(at)) return serveGit(world, at, request, response)
    if (at.pathname === '/settings/apps/new') return takeManifest(world, at, request, response)
    const isGraphql = at.pathname === graphql
    const isApi = at.pathname.startsWith(`${prefix}/`) && at.pathname !== `${prefix}/graphql`
    if (!isGraphql && !isApi) return void response.writeHead(404).end('Not Found')
    const path = isGraphql ? '/graphql' : at.pathname.slice(prefix.length) + at.search
    await answerRequest(state, { request, response, path })
  }
  const settled = async () => {
    while (world.background.size) await Promise.allSettled(world.background)
  }
  return {
    ...makeGitHub(world),
    url,
    apiUrl: world.apiUrl,
    world,
    deliveries,
    requests: state.requests,
    fail: (fault, { times = 1, on = /^/ } = {}) => faults.push({ fault, on, times }),
    settled,
    secrets: () => [
      ...world.tokens.keys(),
      ...world.apps.flatMap((app) => [app.pem, app.clientSecret]),
      ...world.hooks.flatMap((hook) => hook.secret ?? []),
    ],
    [Symbol.asyncDispose]: async () => {
      deliveries.hold()
      await settled()
      for (const each of [server, store]) await close(each)
      conform.raise()
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** What a browser sends where somebody makes an App of a manifest. Whoever is signed in says so by a token here. */
async function takeManifest(world: World, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString())
  const caller = await findCaller(world, request.headers.authorization).catch(() => null)
  if (!caller || 'app' in caller) return void response.writeHead(302, { location: '/login' }).end()
  const manifest = JSON.parse(form.get('manifest') ?? '{}') as { redirect_url?: string }
  const code = randomBytes(20).toString('hex')
  world.manifests.set(code, { ...manifest, owner: caller.token.account })
  const to = new URL(manifest.redirect_url ?? world.url)
  to.searchParams.set('code', code)
  to.searchParams.set('state', url.searchParams.get('state') ?? '')
  response.writeHead(302, { location: to.href }).end()
}

/** A store of its own, which takes a signed address and no token, as it would be somebody else's. */
function sendLog(world: World, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', world.logsUrl)
  const link = world.logLinks.get(url.searchParams.get('sig') ?? '')
  if (request.headers.authorization) return void response.writeHead(400).end('InvalidAuthenticationInfo')
  if (!link || link.until < new Date()) return void response.writeHead(403).end('AuthenticationFailed')
  response.writeHead(200, { 'content-type': 'text/plain' }).end(link.run.job?.log ?? '')
}
