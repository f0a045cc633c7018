import { randomBytes } from 'node:crypto'
import { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { traceparentText, readTraceparent } from '#base/telemetry/trace-context.ts'
import type { Telemetry } from '#base/telemetry/telemetry.ts'

type TracedRequest = { span: Span | undefined; traceparent: string }
const traced = new WeakMap<FastifyRequest, TracedRequest>()

/** Goes on with the sender's trace, if the request has one, and says where in it, as the header `traceresponse`. */
export function traceRequest({ traces }: Telemetry, request: FastifyRequest, reply: FastifyReply): void {
  const place = readTraceparent(request.headers.traceparent)
  if (!place) return
  const route = request.routeOptions.url
  const span = traces.startSpan({
    name: route ? `${request.method} ${route}` : request.method,
    kind: SpanKind.SERVER,
    // The path itself is left out: names of files and branches can be a part of it.
    attributes: { 'http.request.method': request.method, ...(route && { 'http.route': route }) },
    within: place,
  })
  const spanId = span?.spanContext().spanId
  // Without a span of ours, what comes of the request is part of the sender's.
  traced.set(request, { span, traceparent: traceparentText({ ...place, ...(spanId && { parentId: spanId }) }) })
  reply.header('traceresponse', traceparentText({ ...place, parentId: spanId ?? randomBytes(8).toString('hex') }))
}

export function endTrace(request: FastifyRequest, reply: FastifyReply): void {
  const span = traced.get(request)?.span
  span?.setAttribute('http.response.status_code', reply.statusCode)
  if (reply.statusCode >= 500) {
    span?.setAttribute('error.type', String(reply.statusCode))
    span?.setStatus({ code: SpanStatusCode.ERROR })
  }
  span?.end()
}

/** As `traceparent` for what the request brings about; null where its sender traces nothing. */
export function traceparentOf(request: FastifyRequest): string | null {
  return traced.get(request)?.traceparent ?? null
}
