/** An answer that says no, in GitHub's words. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError'
  readonly status: number
  readonly more: Record<string, unknown>
  readonly headers: Record<string, string>
  constructor(
    status: number,
    message: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = status
    this.more = more
    this.headers = headers
  }
}

/** 422 as GitHub has it: `errors` of a resource's fields, or a sentence. */
export function invalid(
  resource: string,
  error: string | { field: string; code?: string; message?: string },
): GitHubError {
  const detail =
    typeof error === 'string' ? { resource, code: 'custom', message: error } : { resource, code: 'invalid', ...error }
  return new GitHubError(422, 'Validation Failed', { errors: [detail] })
}

export const notFound = (): GitHubError => new GitHubError(404, 'Not Found')
