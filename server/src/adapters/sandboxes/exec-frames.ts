/** What the service and the exec agent say to each other; `exec-agent.mjs` is the other side and tells the format. */

/** Kinds up to 9 go to the agent, the others come from it. */
export const frameKinds = {
  start: 1,
  input: 2,
  inputEnd: 3,
  credit: 4,
  kill: 5,
  ready: 10,
  stdout: 11,
  stderr: 12,
  accepted: 13,
  end: 14,
} as const

/** Bytes of one job under way, in each direction, before the other side gives new credit. */
export const windowBytes = 512 * 1024

const HEADER_BYTES = 9
/** The agent's frames are pieces of streams and short messages; what is longer was not written by it. */
export const payloadBytesMax = 256 * 1024

export type Frame = { kind: number; job: number; payload: Buffer }

export function frameHeader(kind: number, job: number, payloadBytes: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(payloadBytes, 0)
  header.writeUInt8(kind, 4)
  header.writeUInt32LE(job, 5)
  return header
}

/** Cuts what arrives into frames, one at a time. Each byte is copied once at most, however the bytes are cut. */
export class FrameReader {
  readonly #header = Buffer.alloc(HEADER_BYTES)
  #headerBytes = 0
  #payload: Buffer | undefined
  #payloadBytes = 0
  #chunk: Buffer = Buffer.alloc(0)

  /** Takes the next piece; the one before must have been read to its end. */
  push(chunk: Buffer): void {
    this.#chunk = chunk
  }

  /** The next frame that is there as a whole; undefined when more must come. Throws when it cannot be what the agent writes. */
  next(): Frame | undefined {
    if (!this.#takeHeader()) return undefined
    const length = this.#header.readUInt32LE(0)
    if (length > payloadBytesMax) throw new Error(`frame of ${length} bytes`)
    const payload = this.#takePayload(length)
    if (!payload) return undefined
    this.#headerBytes = 0
    return { kind: this.#header.readUInt8(4), job: this.#header.readUInt32LE(5), payload }
  }

  #takeHeader(): boolean {
    if (this.#headerBytes === HEADER_BYTES) return true
    const taken = this.#take(HEADER_BYTES - this.#headerBytes)
    this.#header.set(taken, this.#headerBytes)
    this.#headerBytes += taken.length
    return this.#headerBytes === HEADER_BYTES
  }

  #takePayload(request: number): Buffer | undefined {
    if (!this.#payload && this.#chunk.length >= request) return this.#take(request)
    this.#payload ??= Buffer.allocUnsafeSlow(request)
    const taken = this.#take(request - this.#payloadBytes)
    this.#payload.set(taken, this.#payloadBytes)
    this.#payloadBytes += taken.length
    if (this.#payloadBytes < request) return undefined
    const payload = this.#payload
    this.#payload = undefined
    this.#payloadBytes = 0
    return payload
  }

  #take(bytesMax: number): Buffer {
    const taken = this.#chunk.subarray(0, bytesMax)
    this.#chunk = this.#chunk.subarray(taken.length)
    return taken
  }
}
