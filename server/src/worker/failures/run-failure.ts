/** A run that cannot go on for a reason that its reader must know: becomes `error` of the run and its ERROR entry. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: string
  readonly retryable: boolean
  constructor(code: string, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
  }
}

export const sandboxNotMade = (error: unknown): RunFailure =>
  new RunFailure('sandbox_failed', `The sandbox could not be started: ${(error as Error).message}`, {
    retryable: true,
    cause: error,
  })
