import { HostError } from '#adapters/codehosts/code-host.ts'
import { AppError } from '#base/errors.ts'

/** Asks a code host for something that it takes to connect it. What it has against it is told as `integration_failed`. */
export async function askToConnect<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    throw new AppError('integration_failed', { message: error.message, cause: error })
  }
}
