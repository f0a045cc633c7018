import type { ServerResponse } from 'node:http'

/** Sent with the first piece of the answer, so that until then it can still become a refusal. */
export function begin(response: ServerResponse, type: string): void {
  response.statusCode = 200
  response.setHeader('Content-Type', type)
  response.setHeader('Cache-Control', 'no-cache, max-age=0, must-revalidate')
}
