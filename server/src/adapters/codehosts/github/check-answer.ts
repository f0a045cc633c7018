import { HostError } from '#adapters/codehosts/code-host.ts'

/** A list. */
const list = Symbol('list')

const repo = '/repos/{owner}/{repo}'
const pull = `${repo}/pulls/{pull_number}`
/** What an answer is known by, of what is read from it: that it is a list, or one of its fields. */
const marks = new Map<string, string | typeof list>([
  ['GET /app', 'slug'],
  ['GET /app/installations', list],
  ['GET /app/installations/{installation_id}', 'id'],
  ['POST /app/installations/{installation_id}/access_tokens', 'token'],
  ['GET /app/hook/config', 'content_type'],
  ['GET /app/hook/deliveries', list],
  ['GET /installation/repositories', 'repositories'],
  ['GET /user', 'login'],
  ['GET /user/repos', list],
  [`GET ${repo}`, 'full_name'],
  [`GET ${repo}/activity`, list],
  [`GET ${repo}/collaborators/{username}/permission`, 'permission'],
  [`GET ${repo}/check-runs/{check_run_id}`, 'id'],
  [`GET ${repo}/check-runs/{check_run_id}/annotations`, list],
  [`POST ${repo}/check-runs`, 'id'],
  [`PATCH ${repo}/check-runs/{check_run_id}`, 'id'],
  [`GET ${repo}/commits/{ref}/check-runs`, 'check_runs'],
  [`GET ${repo}/commits/{ref}/status`, 'statuses'],
  [`POST ${repo}/statuses/{sha}`, 'id'],
  [`GET ${repo}/hooks`, list],
  [`GET ${repo}/issues`, list],
  [`GET ${repo}/issues/comments`, list],
  [`GET ${repo}/issues/events`, list],
  [`GET ${repo}/issues/{issue_number}`, 'number'],
  [`GET ${repo}/issues/{issue_number}/comments`, list],
  [`GET ${repo}/issues/{issue_number}/events`, list],
  [`POST ${repo}/issues/{issue_number}/comments`, 'id'],
  [`PATCH ${repo}/issues/comments/{comment_id}`, 'id'],
  [`GET ${repo}/pulls`, list],
  [`POST ${repo}/pulls`, 'number'],
  [`GET ${repo}/pulls/comments`, list],
  [`PATCH ${repo}/pulls/comments/{comment_id}`, 'id'],
  [`GET ${pull}`, 'number'],
  [`PATCH ${pull}`, 'number'],
  [`GET ${pull}/comments`, list],
  [`POST ${pull}/comments`, 'id'],
  [`POST ${pull}/comments/{comment_id}/replies`, 'id'],
  [`PUT ${pull}/merge`, 'merged'],
  [`GET ${pull}/reviews`, list],
  [`POST ${pull}/reviews`, 'id'],
  ['POST /graphql', 'data'],
])

/** Throws a `HostError` of `unavailable` where an answer is none of GitHub's, whatever its status says. */
export function checkAnswer(data: unknown, { method, url }: { method: string; url: string }): void {
  const mark = marks.get(`${method} ${url}`)
  if (mark === undefined) return
  const isWhole = mark === list ? Array.isArray(data) : typeof data === 'object' && data !== null && mark in data
  if (isWhole) return
  const message = `${method} ${url} was answered with something that GitHub does not send. Check the address of the integration, and whether a proxy is in front of the host.`
  throw new HostError('unavailable', message)
}
