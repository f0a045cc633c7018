import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { logOfRequest } from './log-of-request.ts'
import type { HttpApp } from './deps.ts'
import { securityHeaders } from './security-headers.ts'

/** Seconds after which what is unavailable or still at work may be asked for again. */
const retryAfterSeconds = 2

const problemType = 'application/problem+json'

const isProbe = (url: string | undefined) => url === '/readyz' || url === '/statusz'

/** Answers an error in the form that every error of this service has; with RFC 9457 for those who ask for it. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown)
  if (error.status >= 500) {
    // That the database is away, or the service not ready, is said once; not again with each request.
    const level = isConnectionError(thrown) || isProbe(request.routeOptions.url) ? 'debug' : 'error'
    logOfRequest(request)[level]({ err: thrown, code: error.code }, 'request failed')
  }
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="runwright"')
  const isPassing = error.code === 'unavailable' || error.code === 'idempotency_in_progress'
  if (isPassing) reply.header('retry-after', retryAfterSeconds)
  const wantsProblem = request.headers.accept?.includes(problemType) ?? false
  return reply
    .code(error.status)
    .header('content-type', wantsProblem ? problemType : 'application/json; charset=utf-8')
    .send(JSON.stringify(wantsProblem ? problemOf(error, request.id) : bodyOf(error, request.id)))
}

/** Answers what Node's own parser refuses, before there is a request. */
export function answerClientError(
  app: Pick<HttpApp, 'publicUrl'>,
  thrown: Error & { code?: string },
  socket: Socket,
): void {
  if (thrown.code === 'ECONNRESET' || !socket.writable) return
  const error = new AppError(
    clientErrorCodes[thrown.code ?? ''] ?? 'invalid_request',
    clientErrorCodes[thrown.code ?? ''] ? {} : { message: 'This is not a well-formed HTTP request.' },
  )
  const requestId = randomUUID()
  const body = JSON.stringify(bodyOf(error, requestId))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(securityHeaders(app)).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function bodyOf(error: AppError, requestId: string) {
  const { message, status, code, detail } = error
  return { message, status_code: status, code, request_id: requestId, ...(detail ? { detail } : {}) }
}

function problemOf(error: AppError, requestId: string) {
  const { message, status, code, detail } = error
  const title = STATUS_CODES[status] ?? code
  return {
    type: 'about:blank',
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(detail ? { errors: detail } : {}),
  }
}

const clientErrorCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_request',
  FST_ERR_NOT_FOUND: 'route_not_found',
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  // What a code host has against it, where the endpoint has no better word.
  if (thrown instanceof HostError) return new AppError('unavailable', { message: thrown.message, cause: thrown })
  const { code = '', message = '' } = thrown as Partial<FastifyError>
  const known = frameworkCodes[code]
  if (known)
    return new AppError(known, { ...(known === 'invalid_request' ? { message: `${message}.` } : {}), cause: thrown })
  if (isConnectionError(thrown)) return new AppError('unavailable', { cause: thrown })
  return new AppError('internal', { cause: thrown })
}
