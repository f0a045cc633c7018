import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Duplex, Readable } from 'node:stream'
import { z } from 'zod'
import { frameHeader, frameKinds } from '#adapters/sandboxes/exec-frames.ts'
import { LocalSandbox } from '#adapters/sandboxes/local-sandbox.ts'
import type { CreateSandbox, SandboxNetwork, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import type { Hello, SandboxEvent } from './events.ts'
import type { FolderStore } from './folder-store.ts'
import type { ListedFile } from './list-files.ts'

const BODY_BYTES_MAX = 64 * 1024 * 1024
/** Connections of one sandbox that wait for the service to take them. */
const WAITING_MAX = 64

export type ServeSandboxes = {
  provider: SandboxProvider
  folders: FolderStore
  hello: Hello
  /** Null: the folders that it writes to are well. */
  lookAtDisk: () => Promise<{ fault: string; message: string } | null>
  /** Called when the service asks for more than who this is, which it does of workers that it takes. */
  onTaken?: () => void
}

/** What the service asks for, besides what it is shown: folders by what they hold, and a network that it answers for itself. */
const createSchema = z.object({
  id: z.string(),
  limits: z.object({ memoryBytes: z.number(), processes: z.number(), diskBytes: z.number(), lifetimeMs: z.number() }),
  folders: z.record(z.string(), z.string()),
  bait: z.record(z.string(), z.string()).optional(),
  /** What its commands are told of it, with `proxyUrlMark` for its address. */
  network: z.object({ environment: z.record(z.string(), z.string()) }).nullable(),
  recurs: z.boolean().optional(),
  author: z.object({ name: z.string(), email: z.string() }).optional(),
})
export type CreateRemotely = z.infer<typeof createSchema>

/** Stands for the address of the service inside a sandbox, which is known where the sandbox is made. */
export const proxyUrlMark = '{proxy_url}'

type Served = {
  sandbox: LocalSandbox
  network: Waiting | null
  /** Tells the service of processes that were killed for want of memory, where there are more than before. */
  look: () => void
}

/** The worker's side: makes sandboxes as the service asks, for as long as it is connected. Then it ends them; their files stay. */
export function serveSandboxes(session: ServerHttp2Session, serve: ServeSandboxes): void {
  const served = new Map<string, Served>()
  session.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    void answer(serve, { stream, path: String(headers[':path']), served, session }).catch((error: unknown) => {
      if (stream.destroyed) return
      const { message, code } = error as NodeJS.ErrnoException
      if (stream.headersSent) stream.end(lineOf({ kind: 'failed', message, ...(code && { code }) }))
      else say(stream.resume(), { status: 500, text: message })
    })
  })
}

type Request = {
  stream: ServerHttp2Stream
  path: string
  served: Map<string, Served>
  session: ServerHttp2Session
}

async function answer(serve: ServeSandboxes, request: Request): Promise<void> {
  const { provider, folders, hello } = serve
  const { stream, path } = request
  const [, word = '', name = '', part] = path.split('/')
  if (word === 'folders' && part === 'files') {
    await folders.finish(name, stream)
    return sayJson(stream, {})
  }
  if (word === 'accept' || word === 'channel') return joinStreams(request, { word, token: name })
  const body = await readJson(stream)
  if (word === 'hello') return sayJson(stream, hello)
  serve.onTaken?.()
  if (word === 'disk') return sayJson(stream, await serve.lookAtDisk())
  if (word === 'probe') return sayJson(stream, await provider.probe())
  if (word === 'folders') {
    const { source, files } = body as { source: string; files: ListedFile[] }
    return sayJson(stream, { missing: await folders.begin(name, { source, files }) })
  }
  if (word === 'list') {
    await folders.sweep()
    return sayJson(stream, await provider.list())
  }
  if (word === 'remove') {
    await provider.remove(name)
    folders.hide(name)
    return sayJson(stream, {})
  }
  if (word === 'create') return create(serve, { ...request, spec: createSchema.parse(body) })
  return ofSandbox(request, { word, token: name, body })
}

function findServed({ served }: Request, token: string): Served {
  const found = served.get(token)
  if (!found) throw new Error('This sandbox does not run here.')
  return found
}

async function joinStreams(request: Request, { word, token }: { word: 'accept' | 'channel'; token: string }) {
  const { sandbox, network, look } = findServed(request, token)
  if (word === 'channel') return relay(request.stream, { sandbox, look })
  if (!network) throw new Error('This sandbox has no network.')
  network.give(request.stream)
}

/** What is asked of a sandbox that runs. */
async function ofSandbox(request: Request, { word, token, body }: { word: string; token: string; body: unknown }) {
  const { sandbox } = findServed(request, token)
  if (word === 'stop') {
    await sandbox.stop(z.object({ reason: z.string() }).parse(body).reason)
    return sayJson(request.stream, {})
  }
  if (word !== 'apart') throw new Error(`A remote worker knows no "${word}".`)
  const how = z.object({ looksOnly: z.boolean(), keepsWorkTree: z.boolean() }).parse(body)
  return tell({ sandbox: await sandbox.openApart(how), network: null }, request)
}

async function create(
  { provider, folders }: ServeSandboxes,
  { spec, ...request }: Omit<Request, 'path'> & { spec: CreateRemotely },
): Promise<void> {
  const network = spec.network && new Waiting(spec.network.environment)
  const mounts = Object.entries(spec.folders).map(([name, digest]) => [name, folders.pathOf(digest)])
  folders.show(spec.id, Object.values(spec.folders))
  const { id, limits, bait, recurs, author } = spec
  const wish: CreateSandbox = {
    id,
    limits,
    mounts: Object.fromEntries(mounts) as Record<string, string>,
    ...(bait && { bait }),
    ...(network && { network }),
    ...(recurs !== undefined && { recurs }),
    ...(author && { author }),
  }
  const sandbox = await provider.create(wish)
  if (!(sandbox instanceof LocalSandbox)) throw new TypeError('this provider keeps its sandboxes elsewhere')
  await tell({ sandbox, network }, request)
}

/** Tells what becomes of a sandbox, to its end. It ends with whoever is told. */
async function tell(
  { sandbox, network }: Omit<Served, 'look'>,
  { stream, served, session }: Pick<Request, 'stream' | 'served' | 'session'>,
): Promise<void> {
  const token = randomUUID()
  const say = (event: SandboxEvent) => void stream.write(lineOf(event))
  let kills = 0
  const look = () => {
    const now = sandbox.outOfMemoryKills()
    if (now > kills) say({ kind: 'starved', kills: (kills = now) })
  }
  served.set(token, { sandbox, network, look })
  const leave = () => void sandbox.stop('the service is not connected any more')
  session.once('close', leave)
  stream.once('close', leave)
  if (session.destroyed || stream.destroyed) leave()
  const { paths, enforcement, proxyUrl, canLookOnly, environment } = sandbox
  stream.respond({ ':status': 200 })
  say({ kind: 'started', token, paths, enforcement, proxyUrl, canLookOnly, environment })
  const { reason } = await sandbox.closed
  session.off('close', leave)
  served.delete(token)
  network?.close()
  stream.end(lineOf({ kind: 'closed', reason, isLeft: sandbox.isLeft }))
}

/** The service speaks with the exec agent itself. */
async function relay(stream: ServerHttp2Stream, { sandbox, look }: Omit<Served, 'network'>): Promise<void> {
  const { input, output } = sandbox.handOver()
  stream.respond({ ':status': 200 })
  stream.write(frameHeader(frameKinds.ready, 0, 0))
  stream.pipe(output)
  // Before what a command says last, so that the service knows why it has ended.
  input.on('data', look)
  input.pipe(stream)
  await once(stream, 'close')
}

/** Connections out of a sandbox, each of which the service takes on a stream that it has opened for the next one. */
class Waiting implements SandboxNetwork {
  readonly #environment: Record<string, string>
  readonly #streams: ServerHttp2Stream[] = []
  readonly #connections: Duplex[] = []
  #isClosed = false

  constructor(environment: Record<string, string>) {
    this.#environment = environment
  }

  environment(proxyUrl: string): Record<string, string> {
    const entries = Object.entries(this.#environment)
    return Object.fromEntries(entries.map(([name, value]) => [name, value.replaceAll(proxyUrlMark, proxyUrl)]))
  }

  connect(connection: Duplex): void {
    connection.on('error', () => connection.destroy())
    if (this.#isClosed || this.#connections.length >= WAITING_MAX) return void connection.destroy()
    this.#connections.push(connection)
    this.#join()
  }

  give(stream: ServerHttp2Stream): void {
    if (this.#isClosed) return stream.close()
    this.#streams.push(stream)
    this.#join()
  }

  close(): void {
    this.#isClosed = true
    for (const stream of this.#streams) stream.close()
    for (const connection of this.#connections) connection.destroy()
  }

  #join(): void {
    while (this.#streams.length > 0 && this.#connections.length > 0) {
      const stream = this.#streams.shift()!
      if (stream.destroyed) continue
      const connection = this.#connections.shift()!
      stream.respond({ ':status': 200 })
      stream.pipe(connection)
      connection.pipe(stream)
      connection.once('close', () => stream.destroyed || stream.close())
      stream.once('close', () => connection.destroy())
    }
  }
}

async function readJson(stream: Readable): Promise<unknown> {
  const pieces: Buffer[] = []
  let bytes = 0
  // It is answered on the same stream.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > BODY_BYTES_MAX) throw new Error('The service asks for more than any worker can be asked for.')
    pieces.push(piece)
  }
  return JSON.parse(Buffer.concat(pieces).toString() || '{}')
}

const lineOf = (event: SandboxEvent) => `${JSON.stringify(event)}\n`

const sayJson = (stream: ServerHttp2Stream, body: unknown) => say(stream, { status: 200, text: JSON.stringify(body) })

function say(stream: ServerHttp2Stream, { status, text }: { status: number; text: string }): void {
  if (stream.destroyed) return
  stream.respond({ ':status': status })
  stream.end(text)
}
