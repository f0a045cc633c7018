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
export const windowBytes = 2 * 1024 * 1024

const HEADER_BYTES = 9
/** The agent's frames are pieces of streams and short messages; what is longer was not written by it. */
export const payloadBytesMax = 1024 * 1024

export type Frame = { kind: number; job: number; payload: Buffer }

export function frameHeader(kind: number, job: number, payloadBytes: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(payloadBytes, 0)
  header.writeUInt8(kind, 4)
  header.writeUInt32LE(job, 5)
  return header
}

/** Cuts what arrives into frames. Throws when it cannot be what the agent writes. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  read(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    while (this.#rest.length >= HEADER_BYTES) {
      const payloadBytes = this.#rest.readUInt32LE(0)
      if (payloadBytes > payloadBytesMax) throw new Error(`frame of ${payloadBytes} bytes`)
      const end = HEADER_BYTES + payloadBytes
      if (this.#rest.length < end) break
      const payload = this.#rest.subarray(HEADER_BYTES, end)
      frames.push({ kind: this.#rest.readUInt8(4), job: this.#rest.readUInt32LE(5), payload })
      this.#rest = this.#rest.subarray(end)
    }
    return frames
  }
}
