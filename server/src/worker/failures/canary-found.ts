import { RunFailure } from './run-failure.ts'

/** A planted credential has come up in what a run shows: whatever drives it looks for credentials. */
export class CanaryFound extends RunFailure {
  readonly canary: string
  constructor(canary: string) {
    super(
      'canary_found',
      `The run was stopped: a credential that opens nothing, planted for whoever looks for some (${canary}), came up in what it printed, wrote or pushed. Something that the agent was told or has read has led it there. Read the log before you resume it.`,
    )
    this.canary = canary
  }
}
