import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { readTraceparent } from '#base/telemetry/trace-context.ts'

/** The log, for lines of this request. Made for the few that have something to say: one for each costs more than many a request. */
export function logOfRequest(request: FastifyRequest): FastifyBaseLogger {
  const traceId = readTraceparent(request.headers.traceparent)?.traceId
  return request.log.child({ requestId: request.id, ...(traceId && { traceId }) })
}
