import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { listenForSandbox } from '#adapters/sandboxes/listen-for-sandbox.ts'
import type { MainProcess } from '#adapters/sandboxes/local-sandbox.ts'
import type { SandboxFiles, SandboxOwner } from '#adapters/sandboxes/sandbox-files.ts'

export type AgentSocket = AsyncDisposable & {
  path: string
  /** Resolves when the agent has come. It is the first, before any command; whoever comes later is sent away. */
  connected: Promise<Socket>
}

/** Listens, beside a sandbox's files, for the exec agent that is started elsewhere. */
export async function listenForAgent(files: SandboxFiles, owner: SandboxOwner): Promise<AgentSocket> {
  // Commands apart have agents of their own over the same files.
  const path = `${files.folder}/agent-${randomUUID().slice(0, 8)}.sock`
  const { promise: connected, resolve } = Promise.withResolvers<Socket>()
  let hasCome = false
  const listening = await listenForSandbox({ ...files, socket: path }, owner, {
    connect: (socket) => {
      socket.on('error', () => {})
      if (hasCome) socket.destroy()
      hasCome = true
      resolve(socket)
    },
  })
  return { path, connected, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() }
}

/** The main process of a Pod, as its agent's socket. */
export class SocketProcess extends EventEmitter implements MainProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr = new PassThrough()
  readonly #socket: Socket

  /** `onEnded` looks at the Pod before anybody hears of its end. */
  constructor(socket: Socket, onEnded: () => Promise<void>) {
    super()
    this.#socket = socket
    this.stdin = socket
    this.stdout = socket
    socket.once('end', () => socket.destroy())
    socket.once('close', () => {
      void onEnded().finally(() => {
        this.emit('exit')
        this.stderr.end()
        this.emit('close')
      })
    })
  }

  get stdio(): readonly (Readable | Writable)[] {
    return [this.#socket, this.stderr]
  }

  unref(): void {
    this.#socket.unref()
  }
}
