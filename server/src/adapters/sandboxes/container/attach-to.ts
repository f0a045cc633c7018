import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import type Docker from 'dockerode'
import type { MainProcess } from '#adapters/sandboxes/local-sandbox.ts'
import { Demultiplexer } from './demultiplex.ts'

/** The main process of a container, over the engine's connection to its standard streams. */
export class AttachedProcess extends EventEmitter implements MainProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly #socket: Socket

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    const stderr = new PassThrough()
    // What nobody reads, because nobody is there any more, makes nothing wait.
    const stdout = new Demultiplexer({ onComplaint: (chunk) => stderr.destroyed || stderr.write(chunk) })
    this.stdin = socket
    this.stdout = stdout
    this.stderr = stderr
    socket.on('error', () => {})
    stdout.on('error', () => socket.destroy())
    socket.pipe(stdout)
    socket.once('end', () => this.#exit())
    socket.once('close', () => this.#exit())
    stdout.once('close', () => this.emit('close'))
  }

  get stdio(): readonly (Readable | Writable)[] {
    return [this.stdin, this.stdout, this.stderr]
  }

  unref(): void {
    this.#socket.unref()
  }

  #hasExited = false
  #exit(): void {
    if (this.#hasExited) return
    this.#hasExited = true
    this.emit('exit')
    this.stderr.push(null)
    // A connection that broke off ends nothing by itself.
    if (!this.#socket.readableEnded) (this.stdout as Demultiplexer).end()
    this.#socket.destroy()
  }
}

/**
 * Connects to a container that has been created. Without a body in the request: Podman takes what comes there for the
 * container's input, and the library's own call sends its options in it.
 */
export async function attachTo(docker: Docker, id: string): Promise<AttachedProcess> {
  const request = {
    path: `/containers/${id}/attach?`,
    method: 'POST',
    isStream: true,
    hijack: true,
    openStdin: false,
    file: Buffer.alloc(0),
    options: { stream: true, stdin: true, stdout: true, stderr: true },
    statusCodes: { 200: true, 101: true, 404: 'no such container', 500: 'server error' },
  }
  const { modem } = docker as {
    modem: { dial(request: object, answer: (error: Error | null, socket: Socket) => void): void }
  }
  return new AttachedProcess(
    await new Promise<Socket>((resolve, reject) => {
      modem.dial(request, (error, socket) => (error ? reject(error) : resolve(socket)))
    }),
  )
}
