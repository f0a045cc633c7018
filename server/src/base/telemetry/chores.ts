import type { Logger } from '#base/logger.ts'
import type { Metrics } from './metrics.ts'

/** A chore that goes on failing is said so again after this. */
export const choreSaidMs = 60_000

/** So many failures in a row are worth a warning: one or two are a moment's, and pass. */
export const failuresBeforeWarning = 3

type State = { saidAt: number; failures: number }
export type OpenChores = {
  logger: Logger
  metrics: Pick<Metrics, 'choresFailed' | 'choresFailing'>
  nowMs?: () => number
}

/**
 * What a process does again and again beside its work. A chore that fails keeps nothing from being done, and is done again
 * soon: so each failure is counted, and the third in a row is said, but then no more than once a minute, and when it works again.
 */
export class Chores {
  readonly #options: Required<OpenChores>
  readonly #failing = new Map<string, State>()
  readonly #saidAt = new Map<string, number>()

  constructor(options: OpenChores) {
    this.#options = { nowMs: () => performance.now(), ...options }
  }

  /** Undefined where it failed. Never rejects. */
  async do<T>(chore: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work()
      this.succeeded(chore)
      return done
    } catch (error) {
      this.failed(chore, error)
      return undefined
    }
  }

  failed(chore: string, error: unknown): void {
    const { logger, metrics, nowMs } = this.#options
    metrics.choresFailed.inc({ chore })
    metrics.choresFailing.set({ chore }, 1)
    const state = this.#failing.get(chore) ?? { saidAt: -Infinity, failures: 0 }
    this.#failing.set(chore, state)
    state.failures++
    if (state.failures < failuresBeforeWarning) return
    const now = nowMs()
    if (now - (this.#saidAt.get(chore) ?? -Infinity) < choreSaidMs) return
    this.#saidAt.set(chore, now)
    state.saidAt = now
    logger.warn({ event: 'chore_failed', chore, failures: state.failures, err: error }, 'a chore failed')
  }

  succeeded(chore: string): void {
    const state = this.#failing.get(chore)
    if (!state) return
    const { logger, metrics } = this.#options
    this.#failing.delete(chore)
    metrics.choresFailing.set({ chore }, 0)
    // Of one that comes and goes neither is said more often than once a minute.
    if (state.saidAt === -Infinity) return
    logger.info({ event: 'chore_recovered', chore, failures: state.failures }, 'a chore works again')
  }
}
