import type { Clock } from '#base/clock.ts'
import { limits } from '#base/limits.ts'

/** Counts how often each address asks, for those who have no token yet to be counted by. */
export class Visitors {
  readonly #clock: Clock
  #begunAt = 0
  #counts = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether the address may ask once more. */
  admit(address: string): boolean {
    const now = this.#clock.now().getTime()
    if (now - this.#begunAt >= limits.signInRequestsMs) {
      this.#begunAt = now
      this.#counts = new Map()
    }
    // More addresses than are told apart are one.
    const who = this.#counts.size < limits.visitorsCountedMax || this.#counts.has(address) ? address : ''
    const count = (this.#counts.get(who) ?? 0) + 1
    this.#counts.set(who, count)
    return count <= limits.signInRequestsMax
  }
}
