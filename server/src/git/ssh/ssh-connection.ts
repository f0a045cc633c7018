import type { Socket } from 'node:net'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { App } from '#app/app.ts'
import { isDeployKey } from '#domain/repos/deploy-keys/is-deploy-key.ts'
import { readableProtocol } from '#git/git-request.ts'
import type { GitParts } from '#git/visit.ts'
import type { Admission } from './admission.ts'
import { authenticate } from './authenticate.ts'
import { sshLimits } from './limits.ts'
import { SendPace } from './send-pace.ts'
import { serveCommand, type ServeCommand } from './serve-command.ts'

export type SshConnectionOptions = {
  app: Pick<App, 'pool'> & { parts: GitParts }
  socket: Socket
  client: Connection
  admission: Admission
  begin: ServeCommand['begin']
}

/** One connection, from the first line that its client has sent to its end. */
export class SshConnection {
  readonly #options: SshConnectionOptions
  readonly #pace: SendPace
  /** Each with what to do when it is closed. */
  readonly #open = new Map<Session, () => void>()
  readonly #channels = new Set<ServerChannel>()
  /** Of the key that has signed in. */
  #fingerprint: string | undefined
  #opened = 0
  #rekeys = 0
  #receivedBytes = 0
  #isEnding = false
  #rest: NodeJS.Timeout | undefined

  constructor(options: SshConnectionOptions) {
    const { app, socket, client, admission } = options
    this.#options = options
    this.#pace = new SendPace(socket)
    socket.once('close', () => this.#close())
    // Before the library reads it.
    socket.prependListener('data', () => this.#isTooMuch() && socket.destroy())
    client.on('error', () => this.#leave())
    client.on('rekey', () => this.#rekey())
    client.on('session', (accept, reject) => (this.#mayOpen() ? this.#take(accept()) : reject()))
    authenticate(client, {
      isDeployKey: (shown) => isDeployKey(app.pool, shown),
      onSignedIn: (shown) => {
        this.#fingerprint = shown
        admission.signedIn()
        this.#settle()
      },
      onError: app.parts.onError,
    })
  }

  /** Asks it to end as soon as nothing is under way on it. */
  end(): void {
    this.#isEnding = true
    this.#settle()
  }

  #close(): void {
    for (const close of this.#open.values()) close()
    clearTimeout(this.#rest)
  }

  #settle(): void {
    clearTimeout(this.#rest)
    if (this.#open.size > 0) return
    if (this.#isEnding) this.#leave()
    else this.#rest = setTimeout(() => this.#leave(), sshLimits.restMs)
  }

  /** In the words of the protocol, and where the client does not listen without any. */
  #leave(): void {
    const { client, socket } = this.#options
    client.end()
    socket.destroySoon()
    setTimeout(() => socket.destroy(), sshLimits.goodbyeMs).unref()
  }

  #rekey(): void {
    if (++this.#rekeys > sshLimits.rekeysMax || this.#fingerprint === undefined) this.#options.socket.destroy()
  }

  /** Whether the client sends more than may be kept, or than what it asks for needs. */
  #isTooMuch(): boolean {
    const { bytesRead } = this.#options.socket
    if (this.#fingerprint === undefined) return bytesRead > sshLimits.signInBytesMax
    const unread = this.#channels.values().reduce((sum, channel) => sum + channel.readableLength, 0)
    const needed = 1.5 * (this.#receivedBytes + unread) + this.#pace.handedBytes / 64
    return unread > sshLimits.unreadBytesMax || bytesRead > needed + sshLimits.overheadBytesMax
  }

  #mayOpen(): boolean {
    const { channelsMax, channelsAtOnceMax } = sshLimits
    if (this.#isEnding || this.#fingerprint === undefined) return false
    return this.#opened < channelsMax && this.#open.size < channelsAtOnceMax
  }

  #take(session: Session): void {
    const { socket } = this.#options
    if (packetBytesOf(session) < sshLimits.packetBytesMin) return void socket.destroy()
    const gone = new AbortController()
    const closed = Promise.withResolvers<void>()
    this.#opened++
    this.#open.set(session, () => {
      this.#open.delete(session)
      gone.abort()
      closed.resolve()
      this.#settle()
    })
    this.#settle()
    session.on('close', () => this.#open.get(session)?.())
    takeCommand(session, (asked) => void this.#serve(asked, { gone: gone.signal, closed: closed.promise }))
  }

  async #serve(asked: Asked, { gone, closed }: { gone: AbortSignal; closed: Promise<void> }): Promise<void> {
    const { app, socket, begin } = this.#options
    const { channel } = asked
    this.#channels.add(channel)
    channel.on('data', (chunk: Buffer) => {
      this.#receivedBytes += chunk.length
    })
    await serveCommand(app, { ...asked, fingerprint: this.#fingerprint ?? '', pace: this.#pace, gone, begin })
    // What was sent last may take its time to arrive.
    const slow = setTimeout(() => socket.destroy(), sshLimits.idleMs)
    await closed
    clearTimeout(slow)
    this.#channels.delete(channel)
  }
}

type Asked = Pick<ServeCommand, 'channel' | 'command' | 'protocol'>

/** Of all that a session can be asked for: one command, and before it which version of git's protocol the client speaks. */
function takeCommand(session: Session, onCommand: (asked: Asked) => void): void {
  let protocol: string | null = null
  session.on('env', (accept: (() => void) | undefined, reject: (() => void) | undefined, { key, val }) => {
    const read = key === 'GIT_PROTOCOL' ? readableProtocol(val) : null
    protocol = read ?? protocol
    // Clients that want no reply give no way to reply.
    const reply = read === null ? reject : accept
    reply?.()
  })
  session.on('exec', (accept, _, { command }) => {
    const channel = accept() as ServerChannel | undefined
    // One that runs a command already takes no other.
    if (!channel) return
    channel.on('error', () => {})
    channel.stderr.on('error', () => {})
    onCommand({ channel, command, protocol })
  })
}

/**
 * How large a packet may be that the client takes. The library would cut an answer into pieces of nothing for ever, and offers no
 * other way to learn of it.
 */
function packetBytesOf(session: Session): number {
  const { _chanInfo: channel } = session as unknown as { _chanInfo?: { outgoing?: { packetSize?: number } } }
  return channel?.outgoing?.packetSize ?? 0
}
