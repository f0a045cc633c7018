import { modelLimits } from '#base/models/model-limits.ts'
import type { TokenCounts } from '#base/models/price-usage.ts'
import { tokensOf } from './estimate-tokens.ts'
import type { Wire } from '#base/models/read-event.ts'
import { readAnswer, type AnswerPart } from './read-answer.ts'

export type CountAnswer = {
  wire: Wire
  isStream: boolean
  expectedTokens: number
  /** Reads what is long elsewhere, where it keeps nobody waiting. */
  readLong: (bytes: Buffer) => Promise<AnswerPart | undefined>
}

const newline = 0x0a

/**
 * Counts what an answer says that it used, as it passes by. One that broke off is taken at what it said until then, and
 * what it did not say is estimated from its length. Each byte is looked at once, however the lines are cut.
 */
export class AnswerCounter {
  readonly #options: CountAnswer
  /** What has no end yet: a line of a stream, or a whole answer. */
  #rest: Buffer[] = []
  #restBytes = 0
  #isTooLong = false
  #counts: Partial<TokenCounts> = {}
  #isComplete = false
  #characters = 0

  constructor(options: CountAnswer) {
    this.#options = options
  }

  async take(chunk: Buffer): Promise<void> {
    let from = 0
    if (this.#options.isStream) {
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        this.#keep(chunk.subarray(from, end))
        from = end + 1
        await this.#endLine()
      }
    }
    this.#keep(chunk.subarray(from))
  }

  /** Whether it has said that it is complete, and what it used, as far as that is said before its last piece. */
  get isComplete(): boolean {
    // Gemini says so before the last that it says of what was used.
    return this.#options.isStream && this.#isComplete && this.#options.wire !== 'google'
  }

  /** What the model has read, as far as the provider has said it. */
  get inputTokens(): number | undefined {
    return this.#counts.inputTokens
  }

  /** What the call has used, once the answer has ended, however it did. */
  async end(): Promise<{ counts: TokenCounts; isEstimated: boolean; isBroken: boolean }> {
    await this.#endLine()
    const {
      inputTokens,
      outputTokens,
      cacheReadTokens = 0,
      cacheWriteTokens = 0,
      cacheWriteHourTokens = 0,
    } = this.#counts
    const isEstimated = !this.#isComplete || inputTokens === undefined || outputTokens === undefined
    const written = tokensOf(this.#characters)
    return {
      counts: {
        inputTokens: inputTokens ?? this.#options.expectedTokens,
        cacheReadTokens,
        cacheWriteTokens,
        cacheWriteHourTokens,
        outputTokens:
          this.#isComplete && outputTokens !== undefined ? outputTokens : Math.max(outputTokens ?? 0, written),
      },
      isEstimated,
      isBroken: !this.#isComplete,
    }
  }

  #keep(bytes: Buffer): void {
    if (this.#isTooLong) this.#characters += bytes.length
    else if (bytes.length) {
      this.#rest.push(bytes)
      this.#restBytes += bytes.length
      if (this.#restBytes > modelLimits.modelAnswerBytesKept) {
        this.#isTooLong = true
        this.#characters += this.#restBytes
        this.#drop()
      }
    }
  }

  #drop(): Buffer {
    const bytes = this.#rest.length === 1 ? this.#rest[0]! : Buffer.concat(this.#rest)
    this.#rest = []
    this.#restBytes = 0
    return bytes
  }

  async #endLine(): Promise<void> {
    const line = this.#drop()
    // Of a line that is too long only its length is known.
    if (this.#isTooLong) return void (this.#isTooLong = false)
    if (!this.#options.isStream) return this.#takeJson(line)
    if (line.indexOf('data:') !== 0) return
    const data = line.subarray('data:'.length)
    if (data.length < 20 && data.toString('latin1').trim() === '[DONE]') this.#isComplete = true
    else if (data.length > 1) await this.#takeJson(data)
  }

  async #takeJson(bytes: Buffer): Promise<void> {
    if (!bytes.length) return
    const { wire, readLong } = this.#options
    const part = bytes.length > modelLimits.modelAnswerBytesReadHere ? await readLong(bytes) : readAnswer(wire, bytes)
    // What is no answer is estimated by its length.
    if (!part) return void (this.#characters += bytes.length)
    this.#counts = { ...this.#counts, ...part.counts }
    this.#isComplete ||= part.isComplete
    this.#characters += part.characters
  }
}
