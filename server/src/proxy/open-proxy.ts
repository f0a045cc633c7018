import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { SandboxProxy } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { isOfRun, recordedAs, type ProxyHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { newTokenText } from '#domain/accounts/tokens/token-text.ts'
import { forwardRequest } from './forward-request.ts'
import { EgressPolicy, type EgressApp, type EgressOptions } from './egress-policy.ts'
import { openTunnel } from './open-tunnel.ts'
import { refuse } from './refuse.ts'

/** Whose run's sandbox a proxy belongs to, known by its socket and not by anything that a request says. */
export type Visitor = {
  holder: Holder
  /** What programs inside show where a protocol wants a key; made for this proxy and forgotten with it. */
  token: string
  /** Told where a service refused because the run's money is spent. */
  onSpent: () => void
}

/** One of our own services behind the proxy. A fault that it throws is answered 500. */
export type OwnService = (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => Promise<void>

export type ProxyOptions = {
  /** By the beginning of the path, such as `/git/`. */
  services: Record<string, OwnService>
} & Pick<EgressOptions, 'patience'>

/**
 * The proxy of sandboxes: one for each, opened with whoever holds the run, closed with the sandbox. What is asked of us
 * ourselves goes to our services, of a run and of nobody else; what is asked of others, to the egress policy.
 */
export function openProxy(app: EgressApp, { services, patience }: ProxyOptions): (holder: ProxyHolder) => SandboxProxy {
  return (holder) => {
    const spent = Promise.withResolvers<void>()
    const token = newTokenText()
    const visitor: Visitor | null = isOfRun(holder) ? { holder, token, onSpent: spent.resolve } : null
    const policy = new EgressPolicy(app, { holder, patience })
    const connections = new Set<Duplex>()
    const serving = new Set<Promise<void>>()
    /** Looks through all that is said in the clear: where it shows what was planted for thieves, the run is stopped. */
    const watch = (connection: Duplex) => {
      const search = app.redactors.of(holder).openSearch(() => {})
      connection.on('data', (piece: Buffer) => void search.write(piece))
    }
    const { column, id } = recordedAs(holder)
    const onFault = (error: unknown) => app.logger.error({ err: error, [column]: id }, 'the proxy of a sandbox failed')

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const url = request.url ?? ''
      if (!url.startsWith('/')) return forwardRequest(policy, request, response)
      const service = Object.entries(services).find(([prefix]) => url.startsWith(prefix))?.[1]
      if (service && visitor) {
        // For how long it may be silent, as a model is that thinks, is its own affair.
        request.socket.setTimeout(0)
        return service(request, response, visitor)
      }
      refuse(response, { status: 404, reason: 'There is nothing here.' })
    }

    const keep = (served: Promise<void>) => {
      serving.add(served)
      void served.finally(() => serving.delete(served))
    }
    const server = createServer({ maxHeaderSize: limits.headerBytesMax }, (request, response) => {
      const served = serve(request, response).catch((error: unknown) => {
        onFault(error)
        refuse(response, { status: 500, reason: 'Something went wrong on our side.' })
      })
      keep(served)
    })
    server.on('connect', (request, client, head) => {
      // From here on nothing is in the clear.
      client.removeAllListeners('data')
      const opened = openTunnel(policy, { authority: request.url ?? '', client, head }).catch((error: unknown) => {
        onFault(error)
        client.destroy()
      })
      keep(opened)
    })
    server.timeout = policy.patience.idleMs

    return {
      token,
      spent: spent.promise,
      environment: (proxyUrl) =>
        visitor ? { RUNWRIGHT_MODEL_URL: `${proxyUrl}/model`, RUNWRIGHT_RUN_TOKEN: token } : {},
      connect: (connection) => {
        connection.on('error', () => connection.destroy())
        if (connections.size >= limits.proxyConnectionsMax) return tellFull(connection)
        connections.add(connection)
        connection.on('close', () => connections.delete(connection))
        // A server that does not listen itself takes connections that it is given.
        server.emit('connection', connection)
        watch(connection)
      },
      [Symbol.asyncDispose]: async () => {
        const closed = [...connections].map((connection) => new Promise((resolve) => connection.on('close', resolve)))
        for (const connection of connections) connection.destroy()
        await Promise.all(closed)
        // What they have used is stored before the run has ended.
        await Promise.all(serving)
        await policy[Symbol.asyncDispose]()
      },
    }
  }
}

function tellFull(connection: Duplex): void {
  connection.end(
    'HTTP/1.1 503 Too many connections\r\nContent-Type: text/plain\r\nConnection: close\r\nRetry-After: 1\r\n\r\nToo many connections at once.\n',
  )
}
