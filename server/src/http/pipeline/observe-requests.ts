import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logOfRequest } from './log-of-request.ts'
import type { HttpDeps } from './deps.ts'
import { eventStream } from './stream-events.ts'
import { endTrace, traceRequest } from './trace-request.ts'

/**
 * Measures, traces and, at the level `debug`, logs each request; a line has its method, route, status and time alone.
 * What every request goes through calls back: a promise for each step costs more than most of the steps.
 */
export function observeRequests(server: FastifyInstance, { app: { telemetry, logger } }: HttpDeps): void {
  server.addHook('onRequest', (request, reply, done) => {
    traceRequest(telemetry, request, reply)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    endTrace(request, reply)
    observe(request, reply)
    done()
  })

  function observe(request: FastifyRequest, reply: FastifyReply): void {
    const { method } = request
    // What comes below `/git/` is answered past the framework, which knows its status only from the raw answer.
    const status = reply.raw.statusCode
    const route = request.routeOptions.url ?? 'unknown'
    const ms = Math.round(reply.elapsedTime * 10) / 10
    if (logger.isLevelEnabled('debug')) logOfRequest(request).debug({ method, route, status, ms }, 'request')
    // A stream lasts as long as its reader likes.
    if (String(reply.raw.getHeader('content-type')).startsWith(eventStream)) return
    telemetry.metrics.httpRequest.observe({ method, route, status: String(status) }, reply.elapsedTime / 1000)
  }
}
