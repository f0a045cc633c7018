import { aborted } from '#base/concurrency/aborted.ts'

export type SharesOptions = { atOnceMax: number; eachMax: number; waitingMax: number }

type Share = { underWay: number; waiting: (() => void)[] }

/** Lets so many act at once, and fewer for each of them; who is over its own share waits, and keeps nobody else waiting. */
export class Shares<Key> {
  readonly #options: SharesOptions
  readonly #shares = new Map<Key, Share>()
  #underWay = 0

  constructor(options: SharesOptions) {
    this.#options = options
  }

  /** Those that act now. */
  get underWay(): number {
    return this.#underWay
  }

  /** Rejects when too many of the same wait already, and with the signal's reason. */
  async run<T>(key: Key, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#enter(key, signal)
    try {
      return await act()
    } finally {
      this.#leave(key)
    }
  }

  async #enter(key: Key, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const share = this.#shares.get(key) ?? { underWay: 0, waiting: [] }
    this.#shares.set(key, share)
    if (this.#hasRoom(share)) return this.#begin(share)
    if (share.waiting.length >= this.#options.waitingMax) throw new Error('too many wait already')
    const { promise, resolve } = Promise.withResolvers<void>()
    const begin = () => resolve()
    share.waiting.push(begin)
    const isGivenUp = await Promise.race([promise.then(() => false), aborted(signal).then(() => true)])
    if (!isGivenUp) return
    const at = share.waiting.indexOf(begin)
    if (at >= 0) share.waiting.splice(at, 1)
    // It was let in and gave up in the same moment.
    else this.#end(share)
    this.#forget(key, share)
    throw signal.reason
  }

  #hasRoom(share: Share): boolean {
    return this.#underWay < this.#options.atOnceMax && share.underWay < this.#options.eachMax
  }

  #begin(share: Share): void {
    share.underWay++
    this.#underWay++
  }

  #end(share: Share): void {
    share.underWay--
    this.#underWay--
    this.#letIn()
  }

  #leave(key: Key): void {
    const share = this.#shares.get(key)!
    this.#end(share)
    this.#forget(key, share)
  }

  #forget(key: Key, share: Share): void {
    if (!share.underWay && !share.waiting.length) this.#shares.delete(key)
  }

  /** The next is one of those who have least. */
  #letIn(): void {
    const waiting = [...this.#shares.values()].filter((share) => share.waiting.length && this.#hasRoom(share))
    const [next] = waiting.sort((one, other) => one.underWay - other.underWay)
    if (!next) return
    this.#begin(next)
    next.waiting.shift()!()
  }
}
