import { hash } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { networkOf } from '#base/network/network-of.ts'

export type WrongTokensOptions = {
  /** How many one address may show within `wrongTokensMs`; 0: any number. */
  max: number
  clock: Clock
  /** Told of each that was no good, and of each that was not even looked up. */
  onWrong: (outcome: 'refused' | 'slowed') => void
  /** Told once when an address begins to be slowed. */
  onSlowed: (address: string) => void
}

/** What an address has shown lately. */
type Counted = {
  sinceMs: number
  wrong: number
  /** How often each token is being looked up now, by its digest. */
  underWay: Map<string, number>
  triedAtMs: number
}

export type Slowed = { retryAfterSeconds: number; sentence: string }

/** How it went; `unknown` where the question could not be answered. */
type Outcome = 'good' | 'wrong' | 'unknown'

/**
 * Slows down who guesses tokens: an address that has shown many wrong ones is answered without a look at the database, but
 * for one look a second. What was good a while ago goes on being looked up, so whoever shares the address goes on working.
 */
export class WrongTokens {
  readonly #options: WrongTokensOptions
  readonly #counted = new Map<string, Counted>()
  readonly #good = new Map<string, number>()

  constructor(options: WrongTokensOptions) {
    this.#options = options
  }

  /** Lets somebody show something, and counts how that ends. Throws `rate_limited`, with what `say` is told before. */
  async watch<T>(
    { address, shown, say }: { address: string; shown: string; say: (retryAfterSeconds: number) => void },
    look: () => Promise<T>,
  ): Promise<T> {
    const begun = this.begin(address, shown)
    if ('retryAfterSeconds' in begun) {
      say(begun.retryAfterSeconds)
      throw new AppError('rate_limited', { message: begun.sentence })
    }
    let outcome: Outcome = 'unknown'
    try {
      const found = await look()
      outcome = 'good'
      return found
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthorized') outcome = 'wrong'
      throw error
    } finally {
      begun.end(outcome)
    }
  }

  /** Either it may be looked up, and `end` is to be told how that went; or it is answered at once. */
  begin(address: string, shown: string): { end: (outcome: Outcome) => void } | Slowed {
    const { max, clock, onWrong } = this.#options
    if (max === 0) return { end: (outcome) => outcome === 'wrong' && onWrong('refused') }
    const nowMs = clock.now().getTime()
    const digest = hash('sha256', shown, 'base64')
    const counted = this.#countedOf(networkOf(address), nowMs)
    const { underWay } = counted
    if (!this.#isGood(digest, nowMs) && !this.#mayTry(counted, { digest, nowMs })) {
      onWrong('slowed')
      if (counted.wrong < max) return { retryAfterSeconds: 1, sentence: crowdedSentence }
      const retryAfterSeconds = Math.ceil((counted.sinceMs + limits.wrongTokensMs - nowMs) / 1_000)
      return { retryAfterSeconds, sentence: slowedSentence(retryAfterSeconds) }
    }
    underWay.set(digest, (underWay.get(digest) ?? 0) + 1)
    return {
      end: (outcome) => {
        const left = underWay.get(digest)! - 1
        if (left) underWay.set(digest, left)
        else underWay.delete(digest)
        this.#end(outcome, { address, digest, counted })
      },
    }
  }

  #end(outcome: Outcome, { address, digest, counted }: { address: string; digest: string; counted: Counted }): void {
    const { max, clock, onWrong, onSlowed } = this.#options
    if (outcome === 'unknown') return
    this.#good.delete(digest)
    if (outcome === 'good') return keep(this.#good, digest, clock.now().getTime() + limits.goodTokensMs)
    onWrong('refused')
    if (++counted.wrong === max) onSlowed(address)
  }

  #countedOf(network: string, nowMs: number): Counted {
    const known = this.#counted.get(network)
    if (known && nowMs - known.sinceMs < limits.wrongTokensMs) return known
    if (known) return Object.assign(known, { sinceMs: nowMs, wrong: 0, triedAtMs: nowMs })
    const fresh = { sinceMs: nowMs, wrong: 0, underWay: new Map(), triedAtMs: nowMs }
    keep(this.#counted, network, fresh)
    return fresh
  }

  #isGood(digest: string, nowMs: number): boolean {
    return (this.#good.get(digest) ?? 0) > nowMs
  }

  /** Many requests with one token are one guess: while the database is slow, an honest client's pile up. */
  #mayTry(counted: Counted, { digest, nowMs }: { digest: string; nowMs: number }): boolean {
    const { max } = this.#options
    const { wrong, underWay } = counted
    if (wrong < max && (underWay.has(digest) || underWay.size < max * limits.tokensTriedFactor)) return true
    if (nowMs - counted.triedAtMs < limits.wrongTokenTryMs) return false
    counted.triedAtMs = nowMs
    return true
  }
}

const slowedSentence = (seconds: number) =>
  `Too many wrong tokens came from this address. Try again in ${seconds} seconds, with one that is good.`

const crowdedSentence = 'Too many tokens of this address are being checked at once. Try again in a second.'

/** The oldest makes room. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const oldest = map.keys().next()
  if (map.size >= limits.visitorsCountedMax && !oldest.done) map.delete(oldest.value)
  map.set(key, value)
}
