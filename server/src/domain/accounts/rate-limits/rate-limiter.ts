import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { AppError } from '#base/errors.ts'
import { Batcher } from '#base/concurrency/batcher.ts'
import { limits } from '#base/limits.ts'
import type { Logger } from '#base/logger.ts'
import { tokenPolicies, type ListedPolicy, type Policy, type Quotas } from '#base/rate-limits.ts'
import { admitInDatabase } from './admit-in-database.ts'
import { forgetSilent } from './forget-silent.ts'
import { giveWindows } from './give-windows.ts'
import { admitInMemory, forgetSilentIn, keptOf, memoryOf, readMemory, type Memory } from './memory.ts'
import { readWindows } from './read-windows.ts'
import { renewCounter } from './renew-counter.ts'
import { takeWindows } from './take-windows.ts'
import { chargeOf, sharedWindowsOf, windowsOf } from './window.ts'
import type { Charge, Decision, KeptWindow, Sender, Window, WindowState } from './window.ts'

/** Statements under way at once, and requests that one of them charges. */
const underWayMax = 2
const togetherMax = 100

/** Windows that are listed, and whose they are. */
type Listed = { owner: number; windows: Window<ListedPolicy>[] }

export type OpenRateLimiter = {
  quotas: Quotas
  logger: Logger
  /** Milliseconds of a clock that never steps back. */
  now?: () => number
}

/**
 * Decides which requests of a token pass. A process that serves alone counts in memory; several count in PostgreSQL, in
 * one statement for all requests that come at once. Exact in both and from one to the other:
 *
 * 1. Each process has a row with a lease, `rate_counters`, and renews it every second.
 * 2. A process that finds itself alone takes all counts out of the database into its memory, and says so in its row. It
 *    trusts its memory only while its lease holds by its own clock, which is a little shorter than by the database's.
 * 3. A process that joins writes its row first, and answers nothing while a living one counts in memory.
 * 4. That one sees the other at its next renewal: it decides nothing more, writes its counts into the database, says so
 *    in its row (one transaction), and goes on there.
 * 5. Each statement that charges a request looks once more whether somebody counts in memory, and then charges nothing.
 *
 * A process that ends leaves its counts in the database. One that crashes takes those of its memory with it, and so
 * does a crash of PostgreSQL; those requests are then counted anew, and whoever joins waits until the lease is over.
 */
export class RateLimiter implements AsyncDisposable {
  readonly quotas: Quotas
  readonly #db: pg.Pool
  readonly #together: Batcher<Charge, Decision | undefined>
  readonly #logger: Logger
  readonly #now: () => number
  readonly #id = randomUUID()
  readonly #stopping = new AbortController()
  /** Undefined: the counts are in the database. */
  #memory: Memory | undefined
  #trustedUntil = -Infinity
  #renewing: Promise<boolean> | undefined
  #sweptAt = -Infinity
  #loop: Promise<void> | undefined

  constructor(db: pg.Pool, { quotas, logger, now = () => performance.now() }: OpenRateLimiter) {
    this.quotas = quotas
    this.#db = db
    this.#together = new Batcher({ underWayMax, togetherMax, ask: (charges) => admitInDatabase(db, charges) })
    this.#logger = logger
    this.#now = now
  }

  /** Joins the processes that count. To be awaited before the first request is answered. */
  async start(): Promise<void> {
    if (Object.values(this.quotas).every((quota) => quota === null)) return
    await giveWindows(this.#db, { id: this.#id, kept: () => [] })
    while (!(await this.#renew())) await sleep(limits.counterPollMs)
    this.#loop = this.#renewForEver()
  }

  get isInMemory(): boolean {
    return this.#memory !== undefined
  }

  /** Whether it is certain that no other process takes requests. */
  get servesAlone(): boolean {
    return this.isInMemory && this.#now() < this.#trustedUntil
  }

  /** Charges a request, or refuses it and charges nothing. Throws `unavailable` when it cannot be told. */
  async admit(request: Sender & { policy: Policy }): Promise<Decision> {
    const charge = chargeOf(this.quotas, request)
    if (!charge.windows.length && !charge.shared.length) return { isAdmitted: true, states: [] }
    return this.#count(
      (memory) => admitInMemory(memory, charge, this.#now()),
      () => this.#together.ask(charge),
    )
  }

  /** How the token's windows stand, of all its policies that are on, and those that it shares with others. */
  async list(sender: Sender): Promise<WindowState<ListedPolicy>[]> {
    const own: Listed = {
      owner: sender.credentialId,
      windows: tokenPolicies.flatMap((policy) => windowsOf(this.quotas, policy)),
    }
    const shared = sharedWindowsOf(this.quotas, sender).map((window): Listed => ({
      owner: window.owner,
      windows: [window],
    }))
    const states = [own, ...shared].map(({ owner, windows }) =>
      this.#count(
        (memory) => readMemory(memory, owner, windows, this.#now()),
        () => readWindows(this.#db, owner, windows),
      ),
    )
    return (await Promise.all(states)).flat()
  }

  /** Leaves the counts to the others, or to the next one that starts. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#loop) return
    this.#stopping.abort()
    await this.#loop
    await this.#renewing?.catch(() => {})
    try {
      await this.#give()
      await this.#db.query('delete from rate_counters where id = $1', [this.#id])
    } catch (error) {
      this.#logger.warn({ err: error }, 'could not hand over rate limit counts')
    }
  }

  /** Asks whichever of the two counts now; while that changes, waits for it. */
  async #count<T>(inMemory: (memory: Memory) => T, inDatabase: () => Promise<T | undefined>): Promise<T> {
    const giveUpAt = this.#now() + limits.counterLeaseMs * 2
    do {
      if (this.#memory && this.#now() < this.#trustedUntil) return inMemory(this.#memory)
      if (!this.#memory) {
        const counted = await inDatabase()
        if (counted !== undefined) return counted
        await sleep(limits.counterPollMs)
      }
      await this.#renew()
    } while (this.#now() < giveUpAt)
    throw new AppError('unavailable')
  }

  async #renewForEver(): Promise<void> {
    const { signal } = this.#stopping
    for (let isLost = false; ;) {
      await sleep(limits.counterRenewMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        await this.#renew()
        await this.#sweep()
        isLost = false
      } catch (error) {
        if (!isLost) this.#logger.warn({ err: error }, 'the rate limits lost the database')
        isLost = true
      }
    }
  }

  /** One at a time, whoever asks. Answers whether requests can be decided. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renewOnce(): Promise<boolean> {
    const askedAt = this.#now()
    const { isInMemory, others, isOtherInMemory } = await renewCounter(this.#db, { id: this.#id })
    const isAsKnown = isInMemory === this.isInMemory
    if (this.#memory && isAsKnown && others === 0) this.#trust(askedAt)
    else if (this.#memory || !isAsKnown) await this.#give()
    else if (others === 0 && !this.#stopping.signal.aborted) await this.#take()
    return this.isInMemory || !isOtherInMemory
  }

  #trust(askedAt: number): void {
    this.#trustedUntil = askedAt + limits.counterLeaseMs - limits.counterLeaseMarginMs
  }

  async #take(): Promise<void> {
    const askedAt = this.#now()
    const keep = (kept: KeptWindow[]) => memoryOf(kept, this.#now())
    this.#memory = await takeWindows(this.#db, { id: this.#id, keep })
    if (this.#memory) this.#trust(askedAt)
  }

  async #give(): Promise<void> {
    // From here on nothing is decided in memory, so that nothing is charged there after it was written down.
    this.#trustedUntil = -Infinity
    const kept = () => keptOf(this.#memory ?? new Map(), this.#now())
    await giveWindows(this.#db, { id: this.#id, kept })
    this.#memory = undefined
  }

  async #sweep(): Promise<void> {
    const silentMs = Math.max(...Object.values(this.quotas).map((quota) => (quota?.windowSeconds ?? 0) * 1_000))
    if (this.#now() - this.#sweptAt < silentMs) return
    this.#sweptAt = this.#now()
    if (this.#memory) forgetSilentIn(this.#memory, { silentMs, now: this.#now() })
    else await forgetSilent(this.#db, { silentMs })
  }
}
