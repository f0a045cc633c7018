/** Goes through all ways of something that depends on several questions, each known only once it is asked. */
export class Choices {
  #picks = new Map<string, { at: number; count: number }>()

  /** Which of so many; the same for the same question, until `next`. */
  pick(question: string, count: number): number {
    const known = this.#picks.get(question)
    if (known) return known.at
    this.#picks.set(question, { at: 0, count })
    return 0
  }

  /** Whether there is a way that has not been gone yet; it is the one that is gone then. */
  next(): boolean {
    for (const [question, pick] of [...this.#picks].toReversed()) {
      if (++pick.at < pick.count) return true
      this.#picks.delete(question)
    }
    return false
  }
}
