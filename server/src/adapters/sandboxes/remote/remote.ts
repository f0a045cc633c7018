import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { StringDecoder } from 'node:string_decoder'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import { LocalSandbox, type OwnNamespace } from '#adapters/sandboxes/local-sandbox.ts'
import type { CreateSandbox, OnTrouble, SandboxNetwork, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { StreamProcess } from '#adapters/sandboxes/stream-process.ts'
import {
  diskSchema,
  doneSchema,
  eventSchema,
  helloSchema,
  idsSchema,
  statusSchema,
  type Hello,
  type SandboxEvent,
  type Started,
} from './events.ts'
import { sendFolder } from './send-folder.ts'
import { proxyUrlMark, type CreateRemotely } from './serve-sandboxes.ts'
import { ask, hear, openStream, protocol, RemoteError } from './wire.ts'

const LINE_CHARACTERS_MAX = 256 * 1024
const FAULT_CHARACTERS_MAX = 10_000
/** Streams of one sandbox that wait for its next connections. */
const ACCEPTS = 4
/** The worker tells what became of a sandbox within this time after the stream of its agent has ended. */
const TOLD_MS_MAX = 5_000

export type RemoteProvider = SandboxProvider & {
  /** What is wrong with the worker's disk; null: nothing. */
  lookAtDisk(): Promise<{ fault: string; message: string } | null>
}

/** Asks a worker who it is. Rejects with a sentence where it speaks another version of the protocol. */
export async function askWho(session: ClientHttp2Session): Promise<Hello> {
  const hello = await ask(session, '/hello', { schema: helloSchema })
  if (hello.protocol !== protocol)
    throw new RemoteError({
      message: `The remote worker ${hello.name} is of version ${hello.version}, which this version cannot work with. Install the same version there.`,
    })
  return hello
}

export type OpenRemote = {
  onTrouble?: OnTrouble
  /**
   * Resolves when those who work here know that the connection has ended. Until then nobody hears of the sandboxes that ended with
   * it: to a run this is the loss of its worker, and no fault of its sandbox.
   */
  left?: Promise<void>
}

/** Sandboxes on the machine of a remote worker. Its exec agents are spoken with from here, over the connection of the worker. */
export function openRemote(
  session: ClientHttp2Session,
  hello: Hello,
  { onTrouble = () => {}, left = Promise.resolve() }: OpenRemote = {},
): RemoteProvider {
  const untilLeft = async () => void ((session.closed || session.destroyed) && (await left))
  const asking = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer
    } catch (error) {
      await untilLeft()
      throw error
    }
  }
  const inTurn = keyedMutex()
  /** One folder is sent once, however many sandboxes wait for it. */
  const send = (folder: string) => inTurn(folder, undefined, () => sendFolder(session, folder))
  return {
    name: hello.provider,
    enforcement: hello.enforcement,
    probe: () => asking(ask(session, '/probe', { schema: statusSchema })),
    list: () => asking(ask(session, '/list', { schema: idsSchema })),
    remove: async (id, { onAside } = {}) => {
      await asking(ask(session, `/remove/${id}`, { schema: doneSchema }))
      onAside?.()
    },
    lookAtDisk: () => asking(ask(session, '/disk', { schema: diskSchema })),
    close: async () => {},
    create: async (spec) => {
      const { id, limits, mounts = {}, network, bait, recurs, author } = spec
      const sent = Object.entries(mounts).map(async ([name, folder]) => [name, await send(folder)] as const)
      const request: CreateRemotely = {
        id,
        limits,
        folders: Object.fromEntries(await asking(Promise.all(sent))),
        network: network ? { environment: network.environment?.(proxyUrlMark) ?? {} } : null,
        ...(bait && { bait }),
        ...(recurs !== undefined && { recurs }),
        ...(author && { author }),
      }
      return asking(start(session, { path: '/create', body: request, spec, network, onTrouble, untilLeft }))
    },
  }
}

type Start = {
  path: string
  body: object
  spec: Pick<CreateSandbox, 'id' | 'limits'>
  network: SandboxNetwork | undefined
  onTrouble: OnTrouble
  untilLeft: () => Promise<void>
}

/** Starts processes there and resolves when commands can be run. Rejects, with nothing left behind, when it does not come to that. */
async function start(
  session: ClientHttp2Session,
  { path, body, spec, network, onTrouble, untilLeft }: Start,
): Promise<LocalSandbox> {
  const { id, limits } = spec
  const followed = await follow(session, { path, body })
  const { token, paths, enforcement, proxyUrl, canLookOnly, environment } = followed.started
  const channel = openStream(session, `/channel/${token}`)
  const main = new StreamProcess(channel, async () => {
    await followed.closedSoon()
    await untilLeft()
  })
  const end = () =>
    void ask(session, `/stop/${token}`, { body: { reason: 'stopped' }, schema: doneSchema }).catch(() => {})
  const onLeft = (error?: unknown) => onTrouble({ kind: 'processes_left', id, error })
  const launchInOwnNamespace = (how: OwnNamespace) =>
    start(session, { path: `/apart/${token}`, body: how, spec, network: undefined, onTrouble, untilLeft })
  const sandbox = new LocalSandbox({
    id,
    limits,
    paths,
    enforcement,
    proxyUrl: network ? proxyUrl : null,
    canLookOnly,
    listening: network && accept(session, { token, network }),
    launchInOwnNamespace,
    onLeft,
    processes: {
      main,
      end,
      kill: () => channel.close(),
      gone: async () => {
        await followed.closedSoon()
        return !followed.isLeft()
      },
      outOfMemoryKills: followed.kills,
    },
  })
  sandbox.assign({ id, environment, launchInOwnNamespace, onLeft })
  void followed.closed.then(async (reason) => {
    await untilLeft()
    await sandbox.stop(reason)
  })
  await sandbox.start()
  return sandbox
}

/** What the worker tells of one sandbox, from its start on. */
async function follow(session: ClientHttp2Session, { path, body }: Pick<Start, 'path' | 'body'>) {
  const stream = openStream(session, path)
  stream.end(JSON.stringify(body))
  const started = Promise.withResolvers<Started>()
  const closed = Promise.withResolvers<string>()
  let kills = 0
  let isLeft = false
  const onEvent = (event: SandboxEvent) => {
    if (event.kind === 'started') started.resolve(event)
    else if (event.kind === 'failed') started.reject(new RemoteError(event))
    else if (event.kind === 'starved') kills = event.kills
    else {
      isLeft = event.isLeft
      closed.resolve(event.reason)
    }
  }
  void readEvents(stream, onEvent)
    .catch((error: unknown) => started.reject(error))
    .finally(() => {
      started.reject(new RemoteError({ message: 'The connection to the remote worker ended.' }))
      closed.resolve('lost')
      stream.close()
    })
  const soon = () => new Promise<void>((resolve) => setTimeout(resolve, TOLD_MS_MAX).unref())
  return {
    started: await started.promise,
    closed: closed.promise,
    closedSoon: async () => void (await Promise.race([closed.promise, soon()])),
    kills: () => kills,
    isLeft: () => isLeft,
  }
}

/** One in each line. */
async function readEvents(stream: ClientHttp2Stream, onEvent: (event: SandboxEvent) => void): Promise<void> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const ended = await hear(stream, (piece, status) => {
    const lines = `${rest}${decoder.write(piece)}`.split('\n')
    if (status === 200) rest = lines.pop() ?? ''
    else rest = lines.join('\n').slice(0, FAULT_CHARACTERS_MAX)
    if (rest.length > LINE_CHARACTERS_MAX)
      throw new RemoteError({ message: 'The remote worker says too much at once.' })
    if (status === 200) for (const line of lines) onEvent(eventSchema.parse(JSON.parse(line)))
  })
  if (ended !== 200) throw new RemoteError({ message: rest })
}

/** Takes the connections of a sandbox to its network, for as long as it runs. */
function accept(
  session: ClientHttp2Session,
  { token, network }: { token: string; network: SandboxNetwork },
): AsyncDisposable {
  const streams = new Set<ClientHttp2Stream>()
  let isClosed = false
  const acceptNext = () => {
    if (isClosed || session.destroyed) return
    const stream = openStream(session, `/accept/${token}`)
    streams.add(stream)
    stream.once('close', () => streams.delete(stream))
    stream.once('response', (headers) => {
      acceptNext()
      if (headers[':status'] === 200) network.connect(stream)
      else stream.close()
    })
  }
  for (let count = 0; count < ACCEPTS; count++) acceptNext()
  return {
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      for (const stream of streams) stream.close()
    },
  }
}
