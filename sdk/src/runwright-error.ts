import type { ErrorBody, Fault } from './generated/api.ts'

/** What the service answered in place of what was asked for. */
export class RunwrightError extends Error {
  override readonly name = 'RunwrightError'
  readonly status: number
  readonly code: ErrorBody['code'] | 'unknown'
  readonly requestId: string | null
  /** For bad input: what is wrong, and where. */
  readonly detail: Fault[]
  /** After which it may be tried again, where the service says so. */
  readonly retryAfterSeconds: number | null

  constructor(response: Response, body: Partial<ErrorBody>) {
    super(body.message ?? `The service answered ${response.status} ${response.statusText}.`)
    this.status = response.status
    this.code = body.code ?? 'unknown'
    this.requestId = body.request_id ?? response.headers.get('x-request-id')
    this.detail = body.detail ?? []
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null
  }
}
