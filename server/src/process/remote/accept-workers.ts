import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { ClientHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws'
import { countSandboxes } from '#adapters/sandboxes/counted.ts'
import type { Hello } from '#adapters/sandboxes/remote/events.ts'
import { askWho, openRemote, type RemoteProvider } from '#adapters/sandboxes/remote/remote.ts'
import { openSession, RemoteError } from '#adapters/sandboxes/remote/wire.ts'
import type { App } from '#app/app.ts'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import { repeat } from '#base/concurrency/repeat.ts'
import type { Listen } from '#base/network/network-address.ts'
import { isSameSecret } from '#base/secrets/is-same-secret.ts'
import type { Secret } from '#base/secrets/secret.ts'
import { findWorkerGrant, type WorkerGrant } from '#domain/runs/worker-tokens/find-worker-grant.ts'
import { listGoodWorkerTokens } from '#domain/runs/worker-tokens/list-good-worker-tokens.ts'
import type { Crew } from '#worker/crew/crew.ts'
import { Worker } from '#worker/worker.ts'
import { connectPath, messageBytesMax, refusedCode } from './connection.ts'
import { WorkerAdmission } from './worker-admission.ts'

const HELLO_MS_MAX = 10_000
/** How often those who are connected are looked at again, whether their tokens are still good. */
const LOOK_AGAIN_MS = 2_000
/** Whoever is told why it is refused has so long to hear it. */
const FAREWELL_MS = 500
/** Of the sentence that ends a connection, as its protocol takes no more. */
const FAREWELL_BYTES_MAX = 120

export type AcceptWorkers = {
  listen: Listen
  /** The operator's settings may name one that lets workers take the runs of all organizations. */
  token: Secret | null
  /** Those that are connected. */
  workers: Set<Worker>
  /** The workers of this process. */
  crew: Crew
}

export type RemoteWorkers = AsyncDisposable & { url: string }

/** One that was let in. `place` is known once it has said who it is. */
type Guest = { grant: WorkerGrant; place?: string; hangUp: (why?: string) => void }

/**
 * Takes remote workers. Each one is a worker like those beside the database: it claims runs and checks by its own labels and slots, of
 * the organization that its token names, and has a lease of its own, but shares a session with the database and a thread with the
 * others of this process. What is not on its machine is its sandboxes alone. When its
 * connection ends, or its token is revoked, its runs are queued again.
 */
export async function acceptWorkers(app: App, { listen, token, workers, crew }: AcceptWorkers): Promise<RemoteWorkers> {
  const { pool, tokenKeys, logger } = app
  const server = createServer((_request, response) => response.writeHead(426, { upgrade: 'websocket' }).end())
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageBytesMax })
  const admission = new WorkerAdmission({
    find: async (secret) =>
      token && isSameSecret(secret, token.reveal()) ? ofSettings : findWorkerGrant(pool, tokenKeys, secret),
    logger,
  })
  const inTurn = keyedMutex()
  const guests = new Set<Guest>()
  const serving = new Set<Promise<void>>()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if ((request.url ?? '').split('?')[0] !== connectPath) return refuse(socket, '404 Not Found')
    void admission.enter(secretOf(request)).then((entered) => {
      if ('status' in entered) return refuse(socket, entered.status)
      if (socket.destroyed) return entered.leave()
      socket.once('close', entered.leave)
      sockets.handleUpgrade(request, socket, head, (opened) => welcome(opened, entered.grant))
    })
  })

  function welcome(opened: WebSocket, grant: WorkerGrant): void {
    const connection = createWebSocketStream(opened)
    const guest: Guest = { grant, hangUp: (why) => end({ opened, connection }, why) }
    guests.add(guest)
    const served = serve(connection, guest)
      .catch((error: unknown) => {
        logger.warn({ event: 'remote_worker_failed', err: error }, 'a remote worker could not be used')
        guest.hangUp(error instanceof RemoteError ? error.message : undefined)
      })
      .finally(() => {
        guests.delete(guest)
        serving.delete(served)
      })
    serving.add(served)
  }

  async function serve(connection: Duplex, guest: Guest): Promise<void> {
    const session = openSession(connection)
    const ended = new Promise<void>((resolve) => {
      connection.once('close', resolve)
      // Also of one on which nothing is heard any more.
      session.once('close', resolve)
    })
    void ended.then(() => guest.hangUp())
    const tooLate = setTimeout(() => guest.hangUp(), HELLO_MS_MAX)
    const hello = await askWho(session).finally(() => clearTimeout(tooLate))
    requireLabels(hello, guest.grant)
    const place = placeOf(guest.grant, hello)
    // The machine itself is back: what holds its earlier connection lets go of it first.
    for (const other of guests) if (other.place === place) other.hangUp()
    guest.place = place
    await inTurn(place, undefined, async () => {
      if (!session.destroyed) await work(app, { session, hello, place, ended, grant: guest.grant, workers, crew })
    })
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listen.port, listen.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const looking = repeat(() => lookAgain(app, guests), LOOK_AGAIN_MS)
  return {
    url: `http://${listen.host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const { hangUp } of guests) hangUp()
      await Promise.all([...serving, looking[Symbol.asyncDispose]()])
    },
  }
}

type Connected = {
  session: ClientHttp2Session
  hello: Hello
  place: string
  ended: Promise<void>
  grant: WorkerGrant
  workers: Set<Worker>
  crew: Crew
}

/** From the registration of a worker to its end, which comes with that of its connection. */
async function work(app: App, { session, hello, place, ended, grant, workers, crew }: Connected): Promise<void> {
  const { name, slots, labels, version } = hello
  const { tokenId, organizationId } = grant
  const facts = { name, tokenId, organizationId }
  const left = Promise.withResolvers<void>()
  const remote = openRemote(session, hello, { left: left.promise })
  const own = appOf(app, { remote, hello, place, organizationId })
  const worker = new Worker(own, { name, slots, labels, version, tokenId, crew })
  workers.add(worker)
  const { logger } = app
  logger.info({ event: 'remote_worker_connected', ...facts, slots, labels, version }, 'a remote worker is connected')
  // It begins when the database is there, which the end of the connection does not wait for.
  void worker.start()
  await ended
  logger.info({ event: 'remote_worker_left', ...facts }, 'a remote worker is not connected any more')
  workers.delete(worker)
  const handedOver = worker[Symbol.asyncDispose]()
  left.resolve()
  await handedOver
  // Only where nothing was kept in it.
  await rmdir(own.snapshotFolder).catch(() => {})
}

/** Whoever is connected with a token that was revoked, or has expired, is cut off. While the database is away nobody is. */
async function lookAgain({ pool }: Pick<App, 'pool'>, guests: ReadonlySet<Guest>): Promise<void> {
  const tokenIds = [...new Set([...guests].map(({ grant }) => grant.tokenId).filter((id) => id !== null))]
  if (!tokenIds.length) return
  const good = await listGoodWorkerTokens(pool, { tokenIds }).catch(() => undefined)
  if (!good) return
  for (const { grant, hangUp } of guests)
    if (grant.tokenId !== null && tokenIds.includes(grant.tokenId) && !good.has(grant.tokenId))
      hangUp('The token of this worker was revoked, or it has expired.')
}

const ofSettings: WorkerGrant = { tokenId: null, organizationId: null, labels: null }

/**
 * Ends a connection, with a sentence where the worker should not come back at once. It is the stream that is destroyed, as its socket
 * alone would have HTTP/2 write to what is gone, which it takes for a fault of its own.
 */
function end({ opened, connection }: { opened: WebSocket; connection: Duplex }, why?: string): void {
  if (why === undefined) return void connection.destroy()
  if (opened.readyState !== opened.OPEN) return
  opened.close(refusedCode, Buffer.from(why).subarray(0, FAREWELL_BYTES_MAX).toString())
  setTimeout(() => connection.destroy(), FAREWELL_MS).unref()
}

function requireLabels({ labels }: Hello, grant: WorkerGrant): void {
  const beyond = grant.labels && labels.filter((label) => !grant.labels!.includes(label))
  if (beyond?.length)
    throw new RemoteError({ message: `The token of this worker does not allow its labels ${beyond.join(', ')}.` })
}

/** Under which its work trees are known. No worker with another token has the same, whatever it says of itself. */
function placeOf({ tokenId }: WorkerGrant, { place }: Hello): string {
  const digest = createHash('sha256')
    .update(`${tokenId ?? 'settings'} ${place}`)
    .digest('hex')
  return `remote-${digest.slice(0, 32)}`
}

type OfRemote = { remote: RemoteProvider; hello: Hello; place: string; organizationId: number | null }

/** The same app, whose sandboxes lie on the machine of a remote worker. */
function appOf(app: App, { remote, hello: { slots, labels }, place, organizationId }: OfRemote): App {
  const snapshotFolder = path.join(app.config.dataDir, 'remote-snapshots', place)
  mkdirSync(snapshotFolder, { recursive: true })
  return {
    ...app,
    config: { ...app.config, workerSlots: slots, workerLabels: labels },
    sandboxes: countSandboxes(remote, (change) => app.telemetry.metrics.sandboxes.inc(change)),
    remote,
    serves: organizationId,
    place,
    snapshotFolder,
  }
}

const secretOf = ({ headers }: IncomingMessage) => (headers.authorization ?? '').replace(/^Bearer /, '')

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
