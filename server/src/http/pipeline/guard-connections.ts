import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { answerClientError } from './answer-error.ts'
import type { HttpDeps } from './deps.ts'

/** Answers in our own form what Node would answer by itself, without a body or not at all, and frees what is held for nothing. */
export function guardConnections(server: FastifyInstance, { app, arrival = limits }: HttpDeps): void {
  server.addHook('onRequest', ({ raw }, _, done) => done(findHostFault(raw)))
  server.addHook('onResponse', ({ raw }, _, done) => {
    if (!raw.complete) limitUnreadTime(raw, arrival.bodyMs)
    done()
  })
  // Whatever is expected besides a go-ahead may be ignored; see RFC 9110, 10.1.1.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.server.on('connect', (_, socket) => answerClientError(app, new Error('This is no proxy.'), socket as Socket))
}

/** What is wrong with a request to several hosts, or to none where HTTP asks for one. */
function findHostFault({ rawHeaders, httpVersion }: IncomingMessage): AppError | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') hosts++
  if (hosts > 1) return new AppError('invalid_request', { message: 'There is more than one Host header.' })
  if (hosts === 0 && httpVersion === '1.1')
    return new AppError('invalid_request', { message: 'The Host header is missing.' })
  return undefined
}

/** A body that nobody wants, and that comes on after its answer, has as long as any other; then the connection ends. */
function limitUnreadTime(request: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => request.socket.destroy(), ms).unref()
  request.once('close', () => clearTimeout(timer))
}
