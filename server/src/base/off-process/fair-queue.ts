export type FairQueueOptions = { waitingMax: number; waitingPerKeyMax: number }

/**
 * What waits, by who asked: each key is served in its turn, one of its items at a time, so that whoever asks a thousand
 * times keeps only itself waiting.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions
  /** In the order in which the keys are served. */
  readonly #waiting = new Map<string, Set<Item>>()
  readonly #busy = new Set<string>()
  #size = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** False: there is no room for it. */
  add(key: string, item: Item): boolean {
    const { waitingMax, waitingPerKeyMax } = this.#options
    const items = this.#waiting.get(key) ?? new Set()
    if (this.#size >= waitingMax || items.size >= waitingPerKeyMax) return false
    this.#waiting.set(key, items.add(item))
    this.#size++
    return true
  }

  /** The next whose key has nothing under way; the key is busy until it is released. */
  take(): { key: string; item: Item } | undefined {
    for (const [key, items] of this.#waiting) {
      if (this.#busy.has(key)) continue
      const [item] = items
      if (item === undefined) continue
      this.remove(key, item)
      this.#busy.add(key)
      // Its next one comes after all others.
      if (items.size && this.#waiting.delete(key)) this.#waiting.set(key, items)
      return { key, item }
    }
    return undefined
  }

  release(key: string): void {
    this.#busy.delete(key)
  }

  /** False: it does not wait any more. */
  remove(key: string, item: Item): boolean {
    const items = this.#waiting.get(key)
    if (!items?.delete(item)) return false
    this.#size--
    if (!items.size) this.#waiting.delete(key)
    return true
  }
}
