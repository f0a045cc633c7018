import { StringDecoder } from 'node:string_decoder'
import type { Json } from '#base/json.ts'
import type { TokenCounts } from '#base/price-usage.ts'
import { limits } from '#base/limits.ts'
import { tokensOf } from './estimate-tokens.ts'
import type { Wire } from './find-model-path.ts'
import { readCounts, readText } from './read-event.ts'

/**
 * Counts what an answer says that it used, as it passes by. One that broke off is taken at what it said until then, and
 * what it did not say is estimated from its length.
 */
export class AnswerCounter {
  readonly #wire: Wire
  readonly #isStream: boolean
  readonly #expectedTokens: number
  readonly #decoder = new StringDecoder('utf8')
  /** What has no end yet: a line of a stream, or a whole answer. */
  #rest = ''
  #counts: Partial<TokenCounts> = {}
  #isComplete = false
  #characters = 0
  #isTooLong = false

  constructor({ wire, isStream, expectedTokens }: { wire: Wire; isStream: boolean; expectedTokens: number }) {
    this.#wire = wire
    this.#isStream = isStream
    this.#expectedTokens = expectedTokens
  }

  take(chunk: Buffer): void {
    this.#rest += this.#decoder.write(chunk)
    if (this.#isStream) {
      const lines = this.#rest.split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.#takeLine(line)
    }
    if (this.#rest.length <= limits.modelAnswerKept) return
    this.#isTooLong = true
    this.#characters += this.#rest.length
    this.#rest = ''
  }

  /** Whether it has said that it is complete, and what it used, as far as that is said before its last piece. */
  get isComplete(): boolean {
    // Gemini says so before the last that it says of what was used.
    return this.#isStream && this.#isComplete && this.#wire !== 'google'
  }

  /** What the call has used, once the answer has ended, however it did. */
  end(): { counts: TokenCounts; isEstimated: boolean } {
    const rest = this.#rest + this.#decoder.end()
    if (this.#isStream) this.#takeLine(rest)
    else if (!this.#isTooLong) this.#takeJson(rest)
    const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = this.#counts
    const isEstimated = !this.#isComplete || inputTokens === undefined || outputTokens === undefined
    const written = tokensOf(this.#characters)
    return {
      counts: {
        inputTokens: inputTokens ?? this.#expectedTokens,
        cacheReadTokens,
        cacheWriteTokens,
        outputTokens:
          this.#isComplete && outputTokens !== undefined ? outputTokens : Math.max(outputTokens ?? 0, written),
      },
      isEstimated,
    }
  }

  #takeLine(line: string): void {
    const data = /^data:(.*)$/s.exec(line)?.[1]?.trim()
    if (data === '[DONE]') this.#isComplete = true
    else if (data) this.#takeJson(data)
  }

  #takeJson(text: string): void {
    let value: Json
    try {
      value = JSON.parse(text) as Json
    } catch {
      // What is no answer is estimated by its length.
      this.#characters += text.length
      return
    }
    // Gemini streams a list where it is not asked for events.
    for (const event of Array.isArray(value) ? value : [value]) this.#takeEvent(event)
  }

  #takeEvent(event: Json): void {
    if (typeof event !== 'object' || event === null || Array.isArray(event)) return
    const { counts, isLast } = readCounts(this.#wire, event)
    // Totals grow within one answer, so the last word counts.
    this.#counts = { ...this.#counts, ...counts }
    if (isLast) this.#isComplete = true
    this.#characters += readText(this.#wire, event)
  }
}
