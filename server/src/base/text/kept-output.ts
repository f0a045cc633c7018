/** The first half and the last half of a stream, of at most `bytesMax` together; the middle is dropped as it comes. */
export class KeptOutput {
  readonly #bytesMax: number
  readonly #headBytes: number
  #data = Buffer.alloc(0)
  #total = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#headBytes = Math.ceil(bytesMax / 2)
  }

  get cutBytes(): number {
    return Math.max(0, this.#total - this.#bytesMax)
  }

  /** Copies: a piece may be a few bytes of a large buffer, which would stay in memory for it. */
  append(chunk: Uint8Array): void {
    const linear = chunk.subarray(0, Math.max(0, this.#bytesMax - this.#total))
    if (linear.length > 0) {
      this.#grow(this.#total + linear.length)
      this.#data.set(linear, this.#total)
    }
    this.#total += linear.length
    if (linear.length < chunk.length) this.#appendToTail(chunk.subarray(linear.length))
  }

  take(): Buffer {
    if (this.#total <= this.#bytesMax) return this.#data.subarray(0, this.#total)
    const at = this.#tailPosition()
    return Buffer.concat([
      this.#data.subarray(0, this.#headBytes),
      this.#data.subarray(at),
      this.#data.subarray(this.#headBytes, at),
    ])
  }

  /** Beyond `bytesMax` the second half is a ring: the oldest byte of it gives way. */
  #appendToTail(chunk: Uint8Array): void {
    const tailBytes = this.#bytesMax - this.#headBytes
    const skipped = Math.max(0, chunk.length - tailBytes)
    this.#total += skipped
    let left = chunk.subarray(skipped)
    while (left.length > 0) {
      const at = this.#tailPosition()
      const piece = left.subarray(0, this.#bytesMax - at)
      this.#data.set(piece, at)
      this.#total += piece.length
      left = left.subarray(piece.length)
    }
  }

  #tailPosition(): number {
    const tailBytes = this.#bytesMax - this.#headBytes
    if (tailBytes === 0) return this.#bytesMax
    return this.#headBytes + ((this.#total - this.#bytesMax) % tailBytes)
  }

  #grow(bytes: number): void {
    if (bytes <= this.#data.length) return
    const grown = Buffer.alloc(Math.min(this.#bytesMax, Math.max(bytes, this.#data.length * 2, 4096)))
    grown.set(this.#data)
    this.#data = grown
  }
}
