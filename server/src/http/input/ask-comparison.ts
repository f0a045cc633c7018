import { HostError } from '#adapters/codehosts/code-host.ts'
import { AppError } from '#base/errors.ts'

/** What a code host compares. Throws `comparison_too_large` where that is more than it can. */
export async function askComparison<Answered>(ask: () => Promise<Answered>): Promise<Answered> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'too_large') throw error
    throw new AppError('comparison_too_large', { cause: error })
  }
}
