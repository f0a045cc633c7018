import { limits } from '#base/limits.ts'
import type { EgressReason } from '#domain/repos/egress/egress.ts'

/** What the first words of a TLS connection say: the server that is wanted, or why they do not say it well enough. */
export type Hello =
  | { serverName: string; reason: null }
  | { reason: Extract<EgressReason, 'not_tls' | 'server_name_missing' | 'encrypted_client_hello'> }

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const HOST_NAME = 0
const extensions = { serverName: 0, encryptedServerName: 0xffce, encryptedClientHello: 0xfe0d }
const RECORD_BYTES_MAX = 2 ** 14
/** Programs write one, or a few where they try whether a server minds. */
const RECORDS_MAX = 64
const RANDOM_BYTES = 32

/**
 * Reads the ClientHello that a connection begins with; undefined while more of it has to come. Whatever could be read in
 * two ways is refused, since the server at the other end might read it in the other one.
 */
export function parseClientHello(bytes: Buffer): Hello | undefined {
  try {
    const body = readBody(bytes)
    return body && readServerName(body)
  } catch (error) {
    if (error instanceof Malformed) return { reason: 'not_tls' }
    throw error
  }
}

class Malformed extends Error {}

/** The body of the hello, which may come in several records. */
function readBody(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  let gathered = 0
  for (let at = 0; ;) {
    const head = bytes.subarray(at, at + 5)
    if ((head.length > 0 && head[0] !== HANDSHAKE) || (head.length > 1 && head[1] !== 3)) throw new Malformed()
    if (head.length < 5) return undefined
    const length = head.readUInt16BE(3)
    if (length === 0 || length > RECORD_BYTES_MAX) throw new Malformed()
    const part = bytes.subarray(at + 5, at + 5 + length)
    parts.push(part)
    gathered += part.length
    if (parts.length > RECORDS_MAX) throw new Malformed()
    // The length stands in the first bytes, however few of them each record holds.
    const request = gathered < 4 ? undefined : 4 + readLength(Buffer.concat(parts.slice(0, 4)))
    if (request && gathered > request) throw new Malformed()
    if (request && gathered === request && part.length === length) return Buffer.concat(parts).subarray(4)
    if (part.length < length) return undefined
    at += 5 + length
  }
}

function readLength(message: Buffer): number {
  const length = message.readUIntBE(1, 3)
  if (message[0] !== CLIENT_HELLO || length > limits.helloBytesMax) throw new Malformed()
  return length
}

function readServerName(body: Buffer): Hello {
  const reader = new Reader(body)
  reader.take(2 + RANDOM_BYTES)
  reader.takeVector(1)
  reader.takeVector(2)
  reader.takeVector(1)
  const seen = new Map<number, Buffer>()
  if (!reader.isAtEnd) {
    const list = new Reader(reader.takeVector(2))
    while (!list.isAtEnd) {
      const type = list.take(2).readUInt16BE()
      if (seen.has(type)) throw new Malformed()
      seen.set(type, list.takeVector(2))
    }
  }
  if (!reader.isAtEnd) throw new Malformed()
  if (seen.has(extensions.encryptedClientHello) || seen.has(extensions.encryptedServerName))
    return { reason: 'encrypted_client_hello' }
  const named = seen.get(extensions.serverName)
  if (!named) return { reason: 'server_name_missing' }
  const outer = new Reader(named)
  const names = new Reader(outer.takeVector(2))
  const kind = names.take(1)[0]
  const serverName = names.takeVector(2).toString('latin1')
  if (kind !== HOST_NAME || !names.isAtEnd || !outer.isAtEnd) throw new Malformed()
  return { serverName, reason: null }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(count: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + count)
    if (taken.length < count) throw new Malformed()
    this.#at += count
    return taken
  }

  /** What its own length stands before. */
  takeVector(lengthBytes: 1 | 2): Buffer {
    return this.take(this.take(lengthBytes).readUIntBE(0, lengthBytes))
  }
}
