/** What keeping a value costs besides the value itself. */
const bytesBeside = 200

type Kept<Value> = { value: Value; bytes: number }

/** What was used last, up to so many bytes; what was not used for longest goes first. */
export class ByteCache<Value> {
  readonly #bytesMax: number
  readonly #kept = new Map<string, Kept<Value>>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(key: string): Value | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value
  }

  /** One that would drive out most others is not kept. */
  set(key: string, value: Value, valueBytes: number): void {
    const bytes = valueBytes + bytesBeside
    this.#remove(key)
    if (bytes > this.#bytesMax / 8) return
    this.#kept.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}
