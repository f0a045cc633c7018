import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { ClientHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { mkdirSync } from 'node:fs'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { countSandboxes } from '#adapters/sandboxes/counted.ts'
import type { Hello } from '#adapters/sandboxes/remote/events.ts'
import { askWho, openRemote, type RemoteProvider } from '#adapters/sandboxes/remote/remote.ts'
import { openSession } from '#adapters/sandboxes/remote/wire.ts'
import type { App } from '#app/app.ts'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import type { Listen } from '#base/network/network-address.ts'
import { Worker } from '#worker/worker.ts'
import { connectPath, messageBytesMax } from './connection.ts'

const HELLO_MS_MAX = 10_000

export type AcceptWorkers = {
  listen: Listen
  token: string
  /** Those that are connected. */
  workers: Set<Worker>
}

export type RemoteWorkers = AsyncDisposable & { url: string }

/**
 * Takes remote workers. Each one is a worker like those beside the database: it claims runs and checks by its own labels and slots, and
 * has a lease of its own. What is not on its machine is its sandboxes alone. When its connection ends, its runs are queued again.
 */
export async function acceptWorkers(app: App, { listen, token, workers }: AcceptWorkers): Promise<RemoteWorkers> {
  const server = createServer((_request, response) => response.writeHead(426, { upgrade: 'websocket' }).end())
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageBytesMax })
  const inTurn = keyedMutex()
  const connected = new Map<string, () => void>()
  const serving = new Set<Promise<void>>()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if ((request.url ?? '').split('?')[0] !== connectPath) return refuse(socket, '404 Not Found')
    if (!isShown(request, token)) return refuse(socket, '401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const served = serve(createWebSocketStream(opened), () => opened.terminate()).catch((error: unknown) => {
        app.logger.warn({ event: 'remote_worker_failed', err: error }, 'a remote worker could not be used')
        opened.terminate()
      })
      serving.add(served)
      void served.finally(() => serving.delete(served))
    })
  })

  async function serve(connection: Duplex, hangUp: () => void): Promise<void> {
    const session = openSession(connection)
    const ended = new Promise<void>((resolve) => {
      connection.once('close', resolve)
      // Also of one on which nothing is heard any more.
      session.once('close', resolve)
    })
    void ended.then(hangUp)
    const tooLate = setTimeout(hangUp, HELLO_MS_MAX)
    const hello = await askWho(session).finally(() => clearTimeout(tooLate))
    // The machine itself is back: what holds its earlier connection lets go of it first.
    connected.get(hello.place)?.()
    await inTurn(hello.place, undefined, () => work({ session, hello, ended, hangUp }))
  }

  /** From the registration of a worker to its end, which comes with that of its connection. */
  async function work({ session, hello, ended, hangUp }: Connected): Promise<void> {
    const { name, slots, labels, version, place } = hello
    const left = Promise.withResolvers<void>()
    const remote = openRemote(session, hello, { left: left.promise })
    const worker = new Worker(appOf(app, { remote, hello }), { name, slots, labels, version })
    connected.set(place, hangUp)
    workers.add(worker)
    app.logger.info({ event: 'remote_worker_connected', name, slots, labels, version }, 'a remote worker is connected')
    // It begins when the database is there, which the end of the connection does not wait for.
    void worker.start()
    await ended
    app.logger.info({ event: 'remote_worker_left', name }, 'a remote worker is not connected any more')
    workers.delete(worker)
    if (connected.get(place) === hangUp) connected.delete(place)
    const handedOver = worker[Symbol.asyncDispose]()
    left.resolve()
    await handedOver
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listen.port, listen.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${listen.host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const hangUp of connected.values()) hangUp()
      await Promise.all(serving)
    },
  }
}

type Connected = { session: ClientHttp2Session; hello: Hello; ended: Promise<void>; hangUp: () => void }

type OfRemote = { remote: RemoteProvider; hello: Hello }

/** The same app, whose sandboxes lie on the machine of a remote worker. */
function appOf(app: App, { remote, hello: { place, slots, labels } }: OfRemote): App {
  const snapshotFolder = path.join(app.config.dataDir, 'remote-snapshots', place)
  mkdirSync(snapshotFolder, { recursive: true })
  return {
    ...app,
    config: { ...app.config, workerSlots: slots, workerLabels: labels },
    sandboxes: countSandboxes(remote, (change) => app.telemetry.metrics.sandboxes.inc(change)),
    remote,
    place,
    snapshotFolder,
  }
}

function isShown({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
