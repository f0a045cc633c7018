import { Readable } from 'node:stream'
import type { FastifyInstance, onSendHookHandler, RouteHandlerMethod } from 'fastify'
import { announceEnd } from './announce-end.ts'
import { auditRequest } from './audit-request.ts'
import { callerOf, keepCaller } from './caller.ts'
import { authenticate, authorize, spendTicket } from './authorize.ts'
import { checkAccept } from './check-accept.ts'
import { checkRateLimit } from './check-rate-limit.ts'
import { handleOnce } from './handle-once.ts'
import type { HttpDeps, Recent } from './deps.ts'
import { checkBodyType, limitBodyTime } from './read-body.ts'
import type { Route } from './route.ts'

export type AddRoute = { route: Route; deps: HttpDeps; recent: Recent; compress: onSendHookHandler }

/**
 * Puts an endpoint into the router. The order of its checks is part of the contract: (1) path and method, (2) the
 * token, (3) its rate limit, (4) what the caller may do in the organization, (5) the type of answer and body, and the
 * body's size, (6) what the request says, and only then, in the handler, (7) what its ids name.
 */
export function addRoute(server: FastifyInstance, { route, deps, recent, compress }: AddRoute): void {
  const { app } = deps
  const mediaType = route.success.mediaType ?? 'application/json'
  server.route({
    method: route.method,
    url: route.path,
    ...(route.bodyBytesMax && { bodyLimit: route.bodyBytesMax }),
    schema: {
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && { body: route.body }),
    },
    onRequest: async (request, reply) => {
      if (route.isAlpha) reply.header('x-api-stability', 'alpha')
      if (route.plannedEnd) announceEnd(reply, route.plannedEnd)
      if (route.access !== 'public') {
        reply.header('cache-control', 'no-store')
        const principal = await authenticate(deps, { request, reply, route })
        if (route.policy) {
          const policy = principal.kind === 'session' ? 'session' : route.policy
          await checkRateLimit(deps, { reply, policy, sender: principal })
        }
        await spendTicket(app, request, route)
        keepCaller(request, await authorize(app, request, { route, principal }))
      }
      checkAccept(request, mediaType)
      // What GET is sent is not looked at.
      if (route.method !== 'GET') checkBodyType(request)
    },
    preParsing: (request, reply, payload, done) => {
      if (request.method !== 'GET') limitBodyTime(reply, payload, deps.arrival?.bodyMs)
      done(null, payload)
    },
    ...(mayBeCompressed(route) && { onSend: compress }),
    handler: handlerOf({ route, deps, recent }),
  })
}

/** Streams, files and texts go out as they are, and so does what holds a secret. */
const mayBeCompressed = ({ success, secrets, isPlain }: Route) =>
  success.mediaType === undefined && success.status !== 204 && !secrets?.length && !isPlain

function handlerOf({ route, deps, recent }: Omit<AddRoute, 'compress'>): RouteHandlerMethod {
  const { success } = route
  const mediaType = success.mediaType ?? 'application/json'
  return async (request, reply) => {
    const call = {
      app: deps.app,
      deps,
      recent,
      params: request.params,
      query: request.query,
      body: request.body,
      caller: callerOf(request),
      request,
      reply,
    }
    let body: unknown
    try {
      body = await auditRequest(deps.app, { route, request }, () => handleOnce(route, deps, call as never))
    } finally {
      if (request.method !== 'GET') recent.runs.forget()
    }
    // A stream has answered by itself.
    if (reply.sent) return reply
    if (reply.statusCode === 304) return reply.send()
    reply.code(success.status)
    if (success.status === 204) return reply.send()
    if (body instanceof Readable) return reply.header('content-type', mediaType).send(body)
    return reply
      .header('content-type', `${mediaType}; charset=utf-8`)
      .send(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body))
  }
}
