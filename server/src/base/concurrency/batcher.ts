export type BatcherOptions<Question, Answer> = {
  /** How many times `ask` may be at work at once, and how many questions it is given at most. */
  underWayMax: number
  togetherMax: number
  /** An answer for each question, in their order. */
  ask: (questions: Question[]) => Promise<Answer[]>
}

type Waiting<Question, Answer> = {
  question: Question
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Gathers what many ask at once. Who comes while others are being answered is asked for next, together with all who came
 * since: so each is answered from a moment after it came, and a thousand cost little more than one.
 */
export class Batcher<Question, Answer> {
  readonly #options: BatcherOptions<Question, Answer>
  #waiting: Waiting<Question, Answer>[] = []
  #underWay = 0

  constructor(options: BatcherOptions<Question, Answer>) {
    this.#options = options
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      // Not at once: who comes in the same moment comes along.
      if (this.#waiting.length === 1) setImmediate(() => void this.#askNext())
    })
  }

  async #askNext(): Promise<void> {
    const { underWayMax, togetherMax, ask } = this.#options
    if (this.#underWay >= underWayMax || !this.#waiting.length) return
    this.#underWay++
    const asked = this.#waiting.splice(0, togetherMax)
    try {
      const answers = await ask(asked.map(({ question }) => question))
      for (const [n, { resolve }] of asked.entries()) resolve(answers[n]!)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    } finally {
      this.#underWay--
      void this.#askNext()
    }
  }
}
