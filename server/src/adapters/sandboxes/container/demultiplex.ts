import { Transform, type TransformCallback } from 'node:stream'

const HEADER_BYTES = 8
const STDOUT = 1
const STDERR = 2

/**
 * Takes a container's stdout out of the stream that the engine sends, in which pieces of stdout and stderr follow each
 * other. A reader that pauses makes the engine wait, and so the container.
 */
export class Demultiplexer extends Transform {
  readonly #onComplaint: (chunk: Buffer) => void
  #header = Buffer.alloc(0)
  #stream = 0
  #left = 0

  constructor({ onComplaint }: { onComplaint: (chunk: Buffer) => void }) {
    super()
    this.#onComplaint = onComplaint
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      for (let rest = chunk; rest.length > 0;) rest = this.#take(rest)
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  /** What is left of the chunk. */
  #take(chunk: Buffer): Buffer {
    if (this.#left === 0) {
      const missing = HEADER_BYTES - this.#header.length
      this.#header = Buffer.concat([this.#header, chunk.subarray(0, missing)])
      if (this.#header.length === HEADER_BYTES) {
        this.#stream = this.#header.readUInt8(0)
        this.#left = this.#header.readUInt32BE(4)
        if (this.#stream > STDERR) throw new Error('the container engine sends something else than two streams')
        this.#header = Buffer.alloc(0)
      }
      return chunk.subarray(missing)
    }
    const piece = chunk.subarray(0, this.#left)
    this.#left -= piece.length
    if (this.#stream === STDOUT) this.push(piece)
    else if (this.#stream === STDERR) this.#onComplaint(piece)
    return chunk.subarray(piece.length)
  }
}
