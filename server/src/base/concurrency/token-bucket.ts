export type BucketSize = { perSecond: number; atOnce: number }

/** How much may be taken in a second, and at once after nothing was. */
export class TokenBucket {
  readonly #size: BucketSize
  readonly #now: () => number
  #level: number
  #at: number

  constructor(size: BucketSize, now: () => number = () => performance.now()) {
    this.#size = size
    this.#now = now
    this.#level = size.atOnce
    this.#at = now()
  }

  /** Milliseconds to wait before anything more may be taken; 0: it was taken, and what was too much is owed. */
  take(amount: number): number {
    const now = this.#now()
    const { perSecond, atOnce } = this.#size
    this.#level = Math.min(atOnce, this.#level + ((now - this.#at) / 1_000) * perSecond)
    this.#at = now
    if (this.#level <= 0) return Math.ceil((-this.#level / perSecond) * 1_000) + 1
    this.#level -= amount
    return 0
  }
}
