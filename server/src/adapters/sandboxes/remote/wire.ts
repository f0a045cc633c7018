/**
 * The connection between the service and a remote worker: HTTP/2 over the one connection that the worker has opened. On it the
 * service asks and the worker answers, so neither a port of the worker's machine is open nor a second connection is needed.
 */
import {
  connect,
  performServerHandshake,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ServerHttp2Session,
} from 'node:http2'
import type { Duplex } from 'node:stream'
import type { z } from 'zod'

/** Raised with each change that one side of an earlier version would not understand. */
export const protocol = 1

/** Bytes of one stream, and of all together, that are under way before the other side has taken them. */
const STREAM_WINDOW_BYTES = 1024 * 1024
const SESSION_WINDOW_BYTES = 32 * 1024 * 1024
const SESSION_MEMORY_MEBIBYTES = 256
const ANSWER_BYTES_MAX = 1024 * 1024
const COMPLAINT_CHARACTERS_MAX = 2_000
const PING_MS = 2_000
/** The other side has gone when it has not answered for so long. */
const SILENT_MS = 8_000

const settings = { initialWindowSize: STREAM_WINDOW_BYTES, enablePush: false, maxConcurrentStreams: 10_000 }

/** The service's side. It has gone when the session closes. */
export function openSession(connection: Duplex): ClientHttp2Session {
  const session = connect('http://worker', {
    createConnection: () => connection,
    settings,
    maxSessionMemory: SESSION_MEMORY_MEBIBYTES,
  })
  return prepare(session, connection)
}

/** The worker's side. */
export function acceptSession(connection: Duplex): ServerHttp2Session {
  return prepare(
    performServerHandshake(connection, { settings, maxSessionMemory: SESSION_MEMORY_MEBIBYTES }),
    connection,
  )
}

function prepare<Session extends ClientHttp2Session | ServerHttp2Session>(
  session: Session,
  connection: Duplex,
): Session {
  // Who waits for something on it learns of its end from that.
  session.on('error', () => {})
  session.setLocalWindowSize(SESSION_WINDOW_BYTES)
  let answeredAt = performance.now()
  const pinging = setInterval(() => {
    // The session alone would wait for what it has written to be taken.
    if (performance.now() - answeredAt > SILENT_MS) connection.destroy()
    else if (!session.destroyed) session.ping((error) => void (error ?? (answeredAt = performance.now())))
  }, PING_MS)
  pinging.unref()
  // Before HTTP/2 hears that the other side has gone: it would end its side, and then write a farewell to what it has ended.
  connection.prependOnceListener('end', () => session.destroy())
  connection.once('close', () => session.destroy())
  session.once('close', () => clearInterval(pinging))
  return session
}

/** What the other side says went wrong there. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly code: string | undefined
  constructor({ message, code }: { message: string; code?: string | undefined }) {
    super(message)
    this.code = code
  }
}

/** Asks the worker for something that it answers in one piece. */
export async function ask<Answer>(
  session: ClientHttp2Session,
  path: string,
  { body = {}, schema }: { body?: object; schema: z.ZodType<Answer> },
): Promise<Answer> {
  const stream = openStream(session, path)
  stream.end(JSON.stringify(body))
  const { status, text } = await readAnswer(stream)
  if (status !== 200) throw new RemoteError({ message: text.slice(0, COMPLAINT_CHARACTERS_MAX) })
  return schema.parse(JSON.parse(text))
}

/** A stream for bytes in both directions; ended by either side. */
export function openStream(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  if (session.destroyed || session.closed) throw new RemoteError({ message: 'The remote worker is not connected.' })
  const stream = session.request({ ':method': 'POST', ':path': path }, { endStream: false })
  stream.on('error', () => {})
  return stream
}

/** Rejects where the connection ends before the answer does, and where the answer is larger than any that is right. */
export async function readAnswer(stream: ClientHttp2Stream): Promise<{ status: number; text: string }> {
  const pieces: Buffer[] = []
  let bytes = 0
  const status = await hear(stream, (piece) => {
    bytes += piece.length
    if (bytes > ANSWER_BYTES_MAX) throw new RemoteError({ message: 'The answer of the remote worker is too long.' })
    pieces.push(piece)
  })
  return { status, text: Buffer.concat(pieces).toString() }
}

/**
 * Hears an answer to its end, and resolves with its status. Called at once when the stream was opened: its end and its close may
 * come together. Rejects where it does not come to its end, and with what `onPiece` throws.
 */
export function hear(stream: ClientHttp2Stream, onPiece: (piece: Buffer, status: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    stream.once('response', (headers) => {
      const status = Number(headers[':status'])
      // Not before: the first piece may come with the status, and be heard ahead of it.
      stream.on('data', (piece: Buffer) => {
        try {
          onPiece(piece, status)
        } catch (error) {
          reject(error)
          stream.close()
        }
      })
      stream.once('end', () => resolve(status))
    })
    stream.once('close', () => reject(new RemoteError({ message: 'The connection to the remote worker ended.' })))
  })
}
