/** What keeping a value costs besides the value itself. */
const bytesBeside = 200

/** Keys that were set once, of which so many are remembered. */
const onceMax = 4_096

type Kept<Value> = { value: Value; bytes: number }

/**
 * What was used last, up to so many bytes; what was not used for longest goes first. Only what is set for the second time
 * is kept: most is read once, and keeping it would drive out what is read again, and cost more than to make it.
 */
export class ByteCache<Value> {
  readonly #bytesMax: number
  readonly #kept = new Map<string, Kept<Value>>()
  readonly #once = new Set<string>()
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
    if (!this.#kept.has(key) && !this.#isSecond(key)) return
    this.#remove(key)
    if (bytes > this.#bytesMax / 8) return
    this.#kept.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.#remove(oldest)
    }
  }

  #isSecond(key: string): boolean {
    if (this.#once.delete(key)) return true
    const oldest = this.#once.keys().next()
    if (this.#once.size >= onceMax && !oldest.done) this.#once.delete(oldest.value)
    this.#once.add(key)
    return false
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}
