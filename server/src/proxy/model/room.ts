import { modelLimits } from '#base/models/model-limits.ts'
import { CallRefused } from './refuse-call.ts'

type Held = { bytes: number }

/** Bytes of calls that one process holds, whoever sent them. */
export const heldByAll: Held = { bytes: 0 }

/** What one call holds of its sandbox's room, and of that of all: given back at once. */
export class Room implements Disposable {
  readonly #holders: [held: Held, max: number, refusal: () => CallRefused][]
  #bytes = 0

  constructor(sandbox: Held, all: Held = heldByAll) {
    this.#holders = [
      [sandbox, modelLimits.modelCallsBytesMax, tooMuch],
      [all, modelLimits.modelCallsBytesHeldMax, tooBusy],
    ]
  }

  /** Throws `CallRefused`. */
  take(bytes: number): void {
    for (const [held, max, refusal] of this.#holders) {
      if (held.bytes + bytes > max) throw refusal()
    }
    for (const [held] of this.#holders) held.bytes += bytes
    this.#bytes += bytes
  }

  [Symbol.dispose](): void {
    for (const [held] of this.#holders) held.bytes -= this.#bytes
    this.#bytes = 0
  }
}

function tooMuch(): CallRefused {
  const message = 'Too many large requests at once. Send one after the other.'
  return new CallRefused({ status: 429, code: 'rate_limit_error', message })
}

function tooBusy(): CallRefused {
  const message = 'This service holds as many requests as it can. Try again in a moment.'
  return new CallRefused({ status: 503, code: 'overloaded_error', message })
}
