import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App, SandboxDoor } from '#app.ts'
import { limits } from '#base/limits.ts'
import type { Holder } from '#domain/steps/step.ts'
import { newTokenText } from '#domain/tokens/token-text.ts'
import { refuse } from './refuse.ts'

/** Whose sandbox a door belongs to, known by its socket and not by anything that a request says. */
export type Visitor = {
  holder: Holder
  /** What programs inside show where a protocol wants a key; made for this door and forgotten with it. */
  token: string
}

/** One of our own services behind the door. A fault that it throws is answered 500. */
export type OwnService = (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => Promise<void>

export type ProxyOptions = {
  /** By the beginning of the path, such as `/git/`. */
  services: Record<string, OwnService>
}

/** The door of sandboxes: one for each, opened with whoever holds the run, closed with the sandbox. */
export function openProxy(app: Pick<App, 'logger'>, { services }: ProxyOptions): (holder: Holder) => SandboxDoor {
  return (holder) => {
    const visitor: Visitor = { holder, token: newTokenText() }
    const connections = new Set<Socket>()

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const url = request.url ?? ''
      const service = Object.entries(services).find(([prefix]) => url.startsWith(prefix))?.[1]
      if (service) return service(request, response, visitor)
      refuse(response, { status: 404, reason: 'There is nothing here.' })
    }

    const server = createServer({ maxHeaderSize: limits.headerBytesMax }, (request, response) => {
      void serve(request, response).catch((error: unknown) => {
        app.logger.error({ err: error, runId: holder.runId }, 'the door of a sandbox failed')
        refuse(response, { status: 500, reason: 'Something went wrong on our side.' })
      })
    })
    server.timeout = limits.proxyIdleMs

    return {
      token: visitor.token,
      connect: (connection) => {
        connections.add(connection)
        connection.on('close', () => connections.delete(connection))
        connection.on('error', () => connection.destroy())
        // A server that does not listen itself takes connections that it is given.
        server.emit('connection', connection)
      },
      [Symbol.asyncDispose]: async () => {
        for (const connection of connections) connection.destroy()
      },
    }
  }
}
