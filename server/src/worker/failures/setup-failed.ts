export type SetupOutcome = { command: string; exitCode: number | null; output: string; durationMs: number }

/** A command of a setup that has not ended well. */
export class SetupFailed extends Error {
  override readonly name = 'SetupFailed'
  /** Of all that were run; the last one has failed. */
  readonly outcomes: SetupOutcome[]
  constructor(message: string, outcomes: SetupOutcome[]) {
    super(message)
    this.outcomes = outcomes
  }
}
