import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { HttpDeps } from './deps.ts'

/**
 * Lets the server close without waiting for those who would keep it: open streams, whose readers go on elsewhere, and
 * connections that were opened ahead and have sent nothing, which Node does not count as idle.
 */
export function closeAtOnce(server: FastifyInstance, { app, ending }: HttpDeps): void {
  server.addHook('onRequest', async (_, reply) => {
    if (ending?.aborted) reply.header('connection', 'close')
  })
  const unused = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', (request) => unused.delete(request.socket))
  server.addHook('preClose', (done) => {
    // http.Server's own close does all at once. Here first nobody new is let in; then, right after the sockets were read, so
    // that a request that has arrived is answered, idle connections end; and only then streams, whose readers come back.
    Server.prototype.close.call(server.server)
    setImmediate(() => {
      server.server.closeIdleConnections()
      for (const socket of unused) socket.destroy()
      void app.subscriptions[Symbol.asyncDispose]().finally(done)
    })
  })
}
