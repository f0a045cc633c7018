import type { ServerResponse } from 'node:http'
import type { Refusal } from './git-request.ts'

const type = 'application/vnd.git-lfs+json'

/** What a client of Git LFS understands. */
export function answerLfs(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** Its message is what `git lfs` prints. */
export function refuseLfs(response: ServerResponse, { status, message, headers }: Refusal): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const asking = headers['WWW-Authenticate']
  response.setHeaders(new Headers({ ...headers, ...(asking !== undefined && { 'LFS-Authenticate': asking }) }))
  answerLfs(response, { message }, status)
}
