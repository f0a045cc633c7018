/** Values that come one by one and are waited for, in their order. */
export class EventQueue<T> {
  readonly #values: T[] = []
  #wake = Promise.withResolvers<void>()
  #isClosed = false

  push(value: T): void {
    this.#values.push(value)
    this.#wake.resolve()
  }

  /** Nothing comes after what is there. */
  close(): void {
    this.#isClosed = true
    this.#wake.resolve()
  }

  /** Undefined: it is closed, and empty. */
  async next(): Promise<T | undefined> {
    while (this.#values.length === 0 && !this.#isClosed) {
      await this.#wake.promise
      this.#wake = Promise.withResolvers()
    }
    return this.#values.shift()
  }
}
