import { HostError } from '#adapters/codehosts/code-host.ts'
import { Refusal } from './git-request.ts'

/** What a client hears of an error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HostError) return new Refusal(502, error.message)
  return new Refusal(500, 'Something went wrong on our side.')
}
