import type { Patience, Tried } from './trial.ts'

/** A candidate that did not end comes again as if it were so much less likely. */
const RETRY_FACTOR = 3
const RETRY_AFTER = 200
/** Of the time that first tries take, so much goes into second ones, and of all time so much into what is slow. */
const RETRY_SHARE = 0.2
const SLOW_SHARE = 0.25
/** A line is slow when the last changes of it had tests loaded anew, and took so much longer than half of the latest tries of others. */
const SLOW_FACTOR = 4
const SLOW_TRIES = 3
const SLOW_MS = 100
const LATEST_MAX = 50

/** A place in the queue, and how long its tests are waited for. */
export type Next = { at: number; patience: Patience }

/**
 * Says which candidate has its turn: the likeliest, but for what costs many times more. Such are what did not end, which needs its full
 * time, and changes to lines that run while the tests are loaded, after which these must be loaded anew.
 */
export class Turns {
  readonly #places: readonly { file: string; line: number }[]
  readonly #hung: number[] = []
  readonly #slow: number[] = []
  readonly #streaks = new Map<string, number>()
  readonly #latestMs: number[] = []
  readonly #spentMs = { brief: 0, slow: 0, full: 0 }

  constructor(places: readonly { file: string; line: number }[]) {
    this.#places = places
  }

  /** How many come later, though the queue has gone by. */
  get left(): number {
    return this.#hung.length + this.#slow.length
  }

  /** Moves `queue.next` on where what it stands at has its turn; null: there is nothing left. */
  take(queue: { next: number }): Next | null {
    const hung = this.#hung[0]
    const isDue = hung !== undefined && queue.next >= RETRY_FACTOR * hung + RETRY_AFTER
    if (isDue && this.#spentMs.full < RETRY_SHARE * this.#spentMs.brief) return next(this.#hung.shift(), 'full')
    const { brief, slow } = this.#spentMs
    if (this.#slow.length && slow < SLOW_SHARE * (brief + slow)) return next(this.#slow.shift(), 'brief')
    while (queue.next < this.#places.length) {
      const at = queue.next++
      if (!this.#isSlow(at)) return { at, patience: 'brief' }
      this.#slow.push(at)
    }
    return next(this.#slow.shift(), 'brief') ?? next(this.#hung.shift(), 'full')
  }

  /** `mayHang`: what did not end may end in its full time. */
  note({ at, patience }: Next, { verdict, isAnew }: Tried, ms: number, mayHang: boolean): void {
    if (verdict === 'hangs' && mayHang && patience === 'brief') this.#hung.push(at)
    if (patience === 'full') {
      this.#spentMs.full += ms
      return
    }
    this.#spentMs[this.#isSlow(at) ? 'slow' : 'brief'] += ms
    if (verdict !== 'fails') return
    const isSlow = isAnew === true && ms > SLOW_MS && ms > SLOW_FACTOR * median(this.#latestMs)
    const key = this.#keyOf(at)
    this.#streaks.set(key, isSlow ? (this.#streaks.get(key) ?? 0) + 1 : 0)
    if (this.#isSlow(at)) return
    this.#latestMs.push(ms)
    if (this.#latestMs.length > LATEST_MAX) this.#latestMs.shift()
  }

  #isSlow(at: number): boolean {
    return (this.#streaks.get(this.#keyOf(at)) ?? 0) >= SLOW_TRIES
  }

  #keyOf(at: number): string {
    const { file, line } = this.#places[at]!
    return `${file}:${line}`
  }
}

function next(at: number | undefined, patience: Patience): Next | null {
  return at === undefined ? null : { at, patience }
}

/** Endless for none: nothing takes longer than that. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity
}
