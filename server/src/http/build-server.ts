import { randomUUID } from 'node:crypto'
import path from 'node:path'
import fastify, { LogController, type FastifyInstance, type FastifyRequest, type onSendHookHandler } from 'fastify'
import { ByteCache } from '#base/byte-cache.ts'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { LogPages } from '#domain/runs/logs/log-pages.ts'
import { RecentRuns } from '#domain/runs/runs/recent-runs.ts'
import { announceChanges } from './pipeline/announce-changes.ts'
import { answerClientError, answerError } from './pipeline/answer-error.ts'
import { closeAtOnce } from './pipeline/close-at-once.ts'
import { compressAnswers } from './pipeline/compress-answers.ts'
import { buildDocument } from './document.ts'
import { addGitGateway } from './pipeline/git-gateway.ts'
import { guardConnections } from './pipeline/guard-connections.ts'
import { observeRequests } from './pipeline/observe-requests.ts'
import type { HttpDeps, Recent, ServerDeps } from './pipeline/deps.ts'
import { parseBody } from './pipeline/read-body.ts'
import { addRoute } from './pipeline/add-route.ts'
import { refuseUnknown } from './pipeline/refuse-unknown.ts'
import { routes } from './routes/index.ts'
import { securityHeaders } from './pipeline/security-headers.ts'
import { addSignIn } from './sign-in/add-sign-in.ts'
import { addUi, pagePaths } from './ui/add-ui.ts'
import { addWebhooks } from './webhooks/add-webhooks.ts'
import { WrongTokens } from './pipeline/wrong-tokens.ts'
import { parseQuery, validator, type Part } from './pipeline/validate.ts'

/** The API server, built but not listening: the API, the web UI, the documentation, and the Git gateway. */
export async function buildServer(options: ServerDeps): Promise<FastifyInstance> {
  const deps: HttpDeps = { ...options, wrongTokens: watchTokens(options.app) }
  const app = openFastify(deps)
  announceChanges(app, deps)
  const recent = openRecent(deps)
  const compress = compressAnswers()
  for (const route of routes) addRoute(app, { route, deps, recent, compress })
  const otherPaths = [...addSignIn(app, deps), ...(await addWebhooks(app, deps))]
  await addUi(app, { app: deps.app, folder: path.join(deps.app.config.root, 'web/dist') })
  addDocument(app, compress)
  addGitGateway(app, deps)
  guardConnections(app, deps)
  closeAtOnce(app, deps)
  refuseUnknown(app, new Set(['/openapi.json', ...pagePaths, ...otherPaths, ...routes.map((route) => route.path)]))
  await app.ready()
  return app
}

/** Counts what is wrong with tokens, and says so once where somebody guesses. */
export function watchTokens({ config, clock, telemetry, logger }: HttpDeps['app']): WrongTokens {
  return new WrongTokens({
    max: config.wrongTokensMax,
    clock,
    onWrong: (outcome) => telemetry.metrics.wrongTokens.inc({ outcome }),
    onSlowed: (address) =>
      logger.info({ event: 'wrong_tokens_slowed', address }, 'an address sent wrong tokens and is slowed down'),
  })
}

/** Memories of what was read, empty. */
export function openRecent({ app, rateLimiter }: ServerDeps): Recent {
  const surroundings = { isAlone: () => rateLimiter.servesAlone, news: () => app.subscriptions.news }
  return {
    runs: new RecentRuns(app.pool, surroundings),
    pages: new LogPages(app.pool, app.blobs),
    answers: new ByteCache(limits.answersCachedBytesMax),
  }
}

/** Made when somebody asks for it first: that takes longer than much else at the start of a process. */
function addDocument(app: FastifyInstance, compress: onSendHookHandler): void {
  let text: Promise<string> | undefined
  app.get('/openapi.json', { onSend: compress }, async (_, reply) => {
    text ??= buildDocument(routes).then((document) => JSON.stringify(document))
    return reply.header('content-type', 'application/json; charset=utf-8').send(await text)
  })
}

function openFastify(deps: HttpDeps): FastifyInstance {
  const { logger, config } = deps.app
  const { arrival = limits } = deps
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: limits.bodyBytesMax,
    // Nobody's word is taken for where a request comes from, but that of proxies which the operator has named.
    trustProxy: config.trustedProxies.length ? config.trustedProxies : false,
    // The longest request is a push; bodies of the API have a timer of their own.
    requestTimeout: limits.gitServiceMsMax,
    connectionTimeout: 0,
    http: {
      headersTimeout: arrival.headersMs,
      maxHeaderSize: limits.headerBytesMax,
      // Checked by ourselves, whose answer has a body.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(1_000, arrival.headersMs),
    },
    routerOptions: { querystringParser: parseQuery, maxParamLength: limits.headerBytesMax },
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(deps.app, error, socket),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(securityHeaders(deps.app))
      answerError(error, request, reply)
    },
  }) as unknown as FastifyInstance
  // First, so that a request is traced and measured whatever refuses it.
  observeRequests(app, deps)
  useOurOwn(app, deps)
  return app
}

/** Our own reading, checking, writing and failing in place of Fastify's. */
function useOurOwn(app: FastifyInstance, deps: HttpDeps): void {
  const compile = validator()
  app.setValidatorCompiler(({ schema, httpPart }) => compile(partOf(httpPart), schema as object))
  // Schemas of answers are documentation, checked by the tests; JSON.stringify is faster than what is made of them.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  // See log-of-request.ts.
  app.setChildLoggerFactory((logger) => logger)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler(() => {
    throw new AppError('route_not_found')
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) =>
    parseBody(bytes),
  )
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.headers(securityHeaders(deps.app))
    done()
  })
}

const partOf = (httpPart: string | undefined): Part =>
  httpPart === 'querystring' ? 'query' : httpPart === 'params' ? 'params' : 'body'

/** The client's own id of the request, if it is one that can stand in a log as it is. */
function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const requestId = request.headers['x-request-id']
  return typeof requestId === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(requestId) ? requestId : randomUUID()
}
