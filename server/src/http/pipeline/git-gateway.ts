import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { logOfRequest } from './log-of-request.ts'
import type { HttpDeps } from './deps.ts'
import { securityHeaders } from './security-headers.ts'
import type { Slowed } from './wrong-tokens.ts'

/** Hands everything below `/git/` to the Git gateway, before anything reads from the streams. */
export function addGitGateway(server: FastifyInstance, { app, gitGateway, wrongTokens }: HttpDeps): void {
  if (!gitGateway) return
  server.all('/git/*', {
    onRequest: async (request, reply) => {
      reply.hijack()
      reply.raw.setHeaders(new Headers({ ...securityHeaders(app), 'x-request-id': request.id }))
      const { authorization: shown } = request.headers
      const begun = shown === undefined ? undefined : wrongTokens.begin(request.ip, shown)
      if (begun && 'retryAfterSeconds' in begun) return slowDown(reply.raw, begun)
      reply.raw.once('close', () => begun?.end(outcomeOf(reply.raw)))
      try {
        await gitGateway(request.raw, reply.raw)
      } catch (error) {
        logOfRequest(request).error({ err: error }, 'git request failed')
        if (!reply.raw.headersSent) reply.raw.writeHead(500)
        reply.raw.end()
      }
    },
    handler: async () => {},
  })
}

function slowDown(response: ServerResponse, { retryAfterSeconds, sentence }: Slowed): void {
  response.writeHead(429, { 'retry-after': String(retryAfterSeconds), 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${sentence}\n`)
}

/** What the answer says of the token that was shown. */
function outcomeOf({ statusCode, headersSent }: ServerResponse): 'good' | 'wrong' | 'unknown' {
  if (statusCode === 401) return 'wrong'
  return headersSent && statusCode < 400 ? 'good' : 'unknown'
}
