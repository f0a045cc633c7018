import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from './caller.ts'
import { logOfRequest } from './log-of-request.ts'
import type { HttpDeps } from './deps.ts'
import { eventStream } from './stream-events.ts'
import { endTrace, traceRequest } from './trace-request.ts'

/**
 * Measures, traces and logs each request: what may change something at the level `info`, all else at `debug`. A line has its method,
 * route, status and time, who has sent it and the numbers in its path; nothing that its sender has written.
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
    const caller = callerOf(request)
    const level = caller && method !== 'GET' && method !== 'HEAD' ? 'info' : 'debug'
    if (logger.isLevelEnabled(level)) {
      const by = caller && { userId: caller.userId, credentialId: caller.credentialId }
      logOfRequest(request)[level]({ method, route, status, ms, ...by, ...idsOf(request) }, 'request')
    }
    // A stream lasts as long as its reader likes.
    if (String(reply.raw.getHeader('content-type')).startsWith(eventStream)) return
    telemetry.metrics.httpRequest.observe({ method, route, status: String(status) }, reply.elapsedTime / 1000)
  }
}

/** What the parts of the path name by number. Names can be anybody's words. */
function idsOf({ params }: FastifyRequest): { ids?: Record<string, number> } {
  const ids = Object.entries((params ?? {}) as Record<string, unknown>).filter(([, value]) =>
    Number.isSafeInteger(value),
  )
  return ids.length > 0 ? { ids: Object.fromEntries(ids) as Record<string, number> } : {}
}
