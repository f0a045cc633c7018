import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { HttpParts } from './parts.ts'

/**
 * Lets the server close without waiting for those who would keep it: open streams, whose readers go on elsewhere, and
 * connections that were opened ahead and have sent nothing, which Node does not count as idle.
 */
export function closeAtOnce(server: FastifyInstance, { app, ending }: HttpParts): void {
  server.addHook('onRequest', async (_, reply) => {
    if (ending?.aborted) reply.header('connection', 'close')
  })
  const unused = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', (request) => unused.delete(request.socket))
  server.addHook('preClose', async () => {
    await app.feed[Symbol.asyncDispose]()
    for (const socket of unused) socket.destroy()
  })
}
