import { HostError } from '#adapters/codehosts/code-host.ts'
import { isConnectionError } from '#base/network/is-connection-error.ts'
import { Refusal } from './git-request.ts'

/** What a client hears of an error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HostError) return new Refusal(502, error.message)
  if (isConnectionError(error))
    return new Refusal(503, 'The database cannot be reached at the moment. Try again in a few seconds.', {
      'Retry-After': '2',
    })
  return new Refusal(500, 'Something went wrong on our side.')
}

/** That the database is away is logged once, not again with each request. */
export const levelOf = (error: unknown): 'debug' | 'error' => (isConnectionError(error) ? 'debug' : 'error')
