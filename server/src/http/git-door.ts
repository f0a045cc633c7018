import type { FastifyInstance } from 'fastify'
import { logOfRequest } from './log-of-request.ts'
import type { HttpParts } from './parts.ts'
import { securityHeaders } from './security-headers.ts'

/** Hands everything below `/git/` to the door of git, before anything reads from the streams. */
export function addGitDoor(server: FastifyInstance, { app, gitDoor }: HttpParts): void {
  if (!gitDoor) return
  server.all('/git/*', {
    onRequest: async (request, reply) => {
      reply.hijack()
      reply.raw.setHeaders(new Headers({ ...securityHeaders(app), 'x-request-id': request.id }))
      try {
        await gitDoor(request.raw, reply.raw)
      } catch (error) {
        logOfRequest(request).error({ err: error }, 'git request failed')
        if (!reply.raw.headersSent) reply.raw.writeHead(500)
        reply.raw.end()
      }
    },
    handler: async () => {},
  })
}
