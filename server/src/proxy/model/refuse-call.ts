import type { ServerResponse } from 'node:http'
import type { Wire } from '#base/models/read-event.ts'

export type CallRefusal = {
  status: 400 | 401 | 402 | 403 | 404 | 408 | 413 | 415 | 429 | 502 | 503
  /** In a word. */
  code: string
  message: string
}

/** Says no in the words of the wire, as far as it is known, so that agents show the sentence. */
export function refuseCall(
  response: ServerResponse,
  { status, code, message }: CallRefusal,
  wire: Wire | undefined,
): void {
  if (response.headersSent) return void response.destroy()
  const error = wire === 'google' ? { code: status, message, status: code } : { type: code, code, message }
  response.writeHead(status, {
    'content-type': 'application/json',
    connection: 'close',
    // Clients of the providers' own try again by themselves where nobody says this.
    ...(status === 402 ? { 'x-should-retry': 'false' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
  })
  response.end(JSON.stringify(wire === 'anthropic' ? { type: 'error', error } : { error }))
}

/** Thrown where a call is refused. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  readonly refusal: CallRefusal
  constructor(refusal: CallRefusal, options: { cause?: unknown } = {}) {
    super(refusal.message, options)
    this.refusal = refusal
  }
}
