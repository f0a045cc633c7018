import type { ServerResponse } from 'node:http'

export type Refusal = { status: number; reason: string }

/** Answers in a sentence, which most programs show their user. Half an answer cannot be taken back, so it is cut off. */
export function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  response.end(`${reason}\n`)
}
