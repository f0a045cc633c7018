import { HostError, type HostErrorCode } from '#adapters/codehosts/code-host.ts'
import { waitFor } from './send-request.ts'

/** As Octokit throws it. */
type RequestError = Error & {
  status: number
  response?: { headers: Record<string, string | number | undefined>; data: unknown }
}

/** What GitHub has against a request, in the words of any host. What is no answer of GitHub stays as it is. */
export function hostErrorOf(error: unknown, now: Date): unknown {
  if (!isRequestError(error)) return error
  if (error.cause instanceof HostError) return error.cause
  const { status, response } = error
  const headers = new Headers(
    Object.entries(response?.headers ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  )
  const text = saidOf(response?.data) || error.message
  const options = { cause: error }
  const retryInMs = waitFor({ status, headers }) ?? (isSecondaryLimit(status, text) ? 60_000 : null)
  if (retryInMs !== null) {
    const until = new Date(now.getTime() + retryInMs).toISOString()
    const message = `GitHub takes no more requests until ${until}: ${text}`
    return new HostError('rate_limited', message, { ...options, retryInMs })
  }
  return new HostError(codeOf(status, text), `GitHub says: ${text}${hintFor(status, headers)}`, options)
}

const isRequestError = (error: unknown): error is RequestError => error instanceof Error && error.name === 'HttpError'

const isSecondaryLimit = (status: number, text: string) =>
  status === 403 && /secondary rate limit|abuse detection/i.test(text)

function codeOf(status: number, text: string): HostErrorCode {
  if (status === 401) return 'unauthorized'
  if (/no commits between/i.test(text)) return 'no_diff'
  if (/protected branch|ruleset|rule violations/i.test(text)) return 'protected'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410 || /field_?base|base.{0,200}invalid/i.test(text)) return 'not_found'
  if (status === 405 || status === 409) return 'conflict'
  return status >= 500 ? 'unavailable' : 'invalid'
}

/** Which permission is missing GitHub says in a header. */
function hintFor(status: number, headers: Headers): string {
  if (status === 401) return '. The credentials of the integration are not good any more.'
  const permissions = headers.get('x-accepted-github-permissions')
  return status === 403 && permissions
    ? ` (It asks for the permission ${permissions.replace(/\s+/g, ' ').slice(0, 200)}.)`
    : ''
}

/** Its message, and what it says of each fault. */
function saidOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return ''
  const { message, errors } = data as { message?: unknown; errors?: unknown }
  const faults = Array.isArray(errors) ? errors.map(faultOf).filter(Boolean) : []
  return [typeof message === 'string' ? message : '', ...faults].filter(Boolean).join('; ').slice(0, 1_000)
}

function faultOf(fault: unknown): string {
  if (typeof fault === 'string') return fault
  if (typeof fault !== 'object' || fault === null) return ''
  const { message, field, code } = fault as { message?: unknown; field?: unknown; code?: unknown }
  if (typeof message === 'string') return message
  return typeof field === 'string' && typeof code === 'string' ? `${field} ${code}` : ''
}
