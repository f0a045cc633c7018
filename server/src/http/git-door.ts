import type { FastifyInstance } from 'fastify'
import { logOfRequest } from './log-of-request.ts'
import type { HttpParts } from './parts.ts'

type GitDoor = NonNullable<HttpParts['gitDoor']>

/** Hands everything below `/git/` to the door of git, before anything reads from the streams. */
export function addGitDoor(server: FastifyInstance, gitDoor: GitDoor): void {
  server.all('/git/*', {
    onRequest: async (request, reply) => {
      reply.hijack()
      reply.raw.setHeader('x-request-id', request.id)
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
