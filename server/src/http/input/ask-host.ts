import { HostError } from '#adapters/codehosts/code-host.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'

/** What a code host answers; what it refuses is told with its reason, and `notFound` is what is missing where it has not got it. */
export async function askHost<Answered>(notFound: ErrorCode, ask: () => Promise<Answered>): Promise<Answered> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    if (error.code === 'not_found') throw new AppError(notFound, { cause: error })
    const isBusy = error.code === 'rate_limited' || error.code === 'unavailable'
    throw new AppError(isBusy ? 'unavailable' : 'conflict', { message: error.message, cause: error })
  }
}
