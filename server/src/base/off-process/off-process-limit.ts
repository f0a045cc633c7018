export type OffProcessLimitName = 'memory' | 'time' | 'queue'

const sentences: Record<OffProcessLimitName, string> = {
  memory: 'It took more memory than it may.',
  time: 'It took longer than it may.',
  queue: 'Too many requests of this kind are already waiting. Try again in a moment.',
}

/** Thrown where work in a process of its own reached a limit: only that work is lost, whatever it was. */
export class OffProcessLimit extends Error {
  override readonly name = 'OffProcessLimit'
  readonly limit: OffProcessLimitName
  constructor(limit: OffProcessLimitName, options: { cause?: unknown } = {}) {
    super(sentences[limit], options)
    this.limit = limit
  }
}
