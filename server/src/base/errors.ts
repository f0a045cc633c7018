/** Every error that a client may see: its code, its HTTP status and what it says. A message tells what to do next. */
export const errorCodes = {
  invalid_request: [400, 'The request is not valid.'],
  prompt_too_long: [400, 'The prompt is longer than 256 KiB.'],
  metadata_too_large: [400, 'The metadata is larger than 16 KiB or nested deeper than 8 levels.'],
  import_not_allowed: [400, 'Importing from this source is not allowed.'],
  import_failed: [400, 'The repository could not be imported.'],
  integration_failed: [400, 'The code host rejected this connection.'],
  model_provider_failed: [400, 'The model provider cannot be used with this address and key.'],
  engine_unavailable: [400, 'This engine cannot be used here.'],
  no_logs: [400, 'No logs were kept for this sandbox.'],
  unauthorized: [401, 'A valid token is required: send "Authorization: Bearer <token>".'],
  budget_reached: [402, 'A budget is used up.'],
  forbidden: [403, 'This token is not allowed to do that.'],
  route_not_found: [404, 'There is nothing at this path.'],
  organization_not_found: [404, 'There is no such organization.'],
  user_not_found: [404, 'There is no such user in this organization.'],
  run_not_found: [404, 'There is no such run in this organization.'],
  comparison_not_found: [404, 'There is no such comparison in this organization.'],
  verdict_not_found: [404, 'The comparison has no such verdict, or the verdict has no log.'],
  notification_not_found: [404, 'There is no such item in your inbox.'],
  view_not_found: [404, 'You have no such saved view.'],
  token_not_found: [404, 'There is no such token in this organization.'],
  repo_not_found: [404, 'There is no such repository in this organization.'],
  integration_not_found: [404, 'There is no such integration in this organization.'],
  job_not_found: [404, 'There is no such job in this organization.'],
  setup_proposal_not_found: [404, 'There is no such setup proposal for this repository.'],
  secret_not_found: [404, 'There is no secret with this name here.'],
  issue_not_found: [404, 'There is no such issue in this repository.'],
  pull_not_found: [404, 'There is no such pull request in this organization.'],
  comment_not_found: [404, 'There is no such comment on a line of this pull request.'],
  sandbox_not_found: [404, 'There is no such sandbox in this organization.'],
  snapshot_not_found: [404, 'There is no such snapshot of this repository.'],
  branch_not_found: [404, 'There is no such branch in this repository.'],
  file_not_found: [404, 'There is no such file on this side of the pull request.'],
  worker_token_not_found: [404, 'There is no such worker token of this organization.'],
  deploy_key_not_found: [404, 'There is no such deploy key of this repository.'],
  mcp_server_not_found: [404, 'There is no such MCP server in this organization.'],
  model_provider_not_found: [404, 'There is no such model provider in this organization.'],
  budget_not_found: [404, 'There is no such budget in this organization.'],
  message_not_found: [404, 'There is no such message to this run.'],
  question_not_found: [404, 'There is no such question in this run.'],
  check_log_not_found: [404, 'The head of the pull request has no such check, or the check has no log.'],
  artifact_not_found: [404, 'The run has no artifact with this name.'],
  method_not_allowed: [405, 'This path does not support that method.'],
  not_acceptable: [406, 'This path cannot respond in a format that the Accept header allows.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  run_already_ended: [409, 'The run has already ended.'],
  last_admin: [409, 'This is the last ADMIN of the organization. Make someone else an ADMIN first.'],
  repo_name_taken: [409, 'The organization already has a repository with this name.'],
  idempotency_in_progress: [
    409,
    'The first request with this Idempotency-Key is still being processed. Try again in a moment.',
  ],
  sandbox_too_weak: [409, 'No worker enforces sandbox limits as strictly as this organization requires.'],
  merge_conflict: [409, 'The pull request conflicts with its base branch.'],
  conflict: [409, 'The resource is not in a state that allows this.'],
  body_too_large: [413, 'The body is larger than this path accepts.'],
  unsupported_media_type: [415, 'The body must be JSON: send "Content-Type: application/json".'],
  storage_full: [422, 'The storage limit is reached.'],
  comparison_too_large: [422, 'The difference is too large to compare. Compare less, or use git.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used with a different request.'],
  rate_limited: [429, 'This token has sent too many requests. Try again after the number of seconds in Retry-After.'],
  headers_too_large: [431, 'The headers are larger than 16 KiB.'],
  internal: [500, 'Something went wrong on our side. Look for the request id in the service log.'],
  unavailable: [503, 'The service is not ready. Try again in a moment.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof errorCodes

/** One fault of a request: where it lies (`['body', 'prompt']`), what is wrong, and of which kind. */
export type Fault = { loc: (string | number)[]; msg: string; type: string }

/** An error that its receiver can understand and act on. Anything else that is thrown is a bug, and answers 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly detail: Fault[] | undefined

  constructor(code: ErrorCode, options: { message?: string; detail?: Fault[]; cause?: unknown } = {}) {
    super(options.message ?? errorCodes[code][1], options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.detail = options.detail
  }

  get status(): number {
    return errorCodes[this.code][0]
  }
}
