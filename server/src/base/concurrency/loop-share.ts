/** What one spender that has rested may take at once. */
const BURST_MS = 25
/** Who took less than this in a second is in nobody's way. */
const SMALL_MS = 5
const WINDOW_MS = 1_000

export type LoopSpender = {
  /** Says that this much time was taken for it. Answers for how long nothing more may be: 0 most of the time. */
  spend(ms: number): number
  close(): void
}

type Account = { leftMs: number; at: number; windowAt: number; spentMs: number; lastSpentMs: number }

/**
 * Shares of the event loop's time, for what strangers send us as fast as they like: output of commands, bytes that pass
 * through. One spender has at most `each` of it, all together `all`, divided evenly among those who take much; who
 * takes little never rests. What bytes cost is measured and not assumed, so it does not matter how they are cut or what
 * is done with them.
 */
export class LoopShare {
  readonly #each: number
  readonly #all: number
  readonly #now: () => number
  readonly #accounts = new Set<Account>()

  constructor({ each, all, now = () => performance.now() }: { each: number; all: number; now?: () => number }) {
    this.#each = each
    this.#all = all
    this.#now = now
  }

  open(): LoopSpender {
    const at = this.#now()
    const account: Account = { leftMs: BURST_MS, at, windowAt: at, spentMs: 0, lastSpentMs: 0 }
    this.#accounts.add(account)
    return {
      spend: (ms) => this.#spend(account, ms),
      close: () => void this.#accounts.delete(account),
    }
  }

  #spend(account: Account, ms: number): number {
    const now = this.#now()
    roll(account, now)
    account.spentMs += ms
    const rate = Math.min(this.#each, this.#all / Math.max(1, this.#countLarge(now)))
    account.leftMs = Math.min(BURST_MS, account.leftMs + (now - account.at) * rate) - ms
    account.at = now
    return account.leftMs >= 0 ? 0 : Math.ceil(-account.leftMs / rate)
  }

  #countLarge(now: number): number {
    let count = 0
    for (const account of this.#accounts) {
      roll(account, now)
      if (Math.max(account.spentMs, account.lastSpentMs) > SMALL_MS) count++
    }
    return count
  }
}

function roll(account: Account, now: number): void {
  const windows = Math.floor((now - account.windowAt) / WINDOW_MS)
  if (windows === 0) return
  account.lastSpentMs = windows === 1 ? account.spentMs : 0
  account.spentMs = 0
  account.windowAt += windows * WINDOW_MS
}
