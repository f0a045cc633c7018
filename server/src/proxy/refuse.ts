import type { ServerResponse } from 'node:http'
import { egressReasons, type EgressReason } from '#domain/repos/egress/egress.ts'

export type Refusal = {
  status: number
  /** In a sentence, which most programs show their user. */
  reason: string
  /** The same in a word, for the first line of the answer. */
  about?: EgressReason
}

/** Half an answer cannot be taken back, so it is cut off. */
export function refuse(response: ServerResponse, { status, reason, about }: Refusal): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  if (about) response.statusMessage = `Refused (${about})`
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  response.end(`${reason}\n`)
}

export function sentenceFor({ host, port }: { host: string; port: number }, reason: EgressReason): string {
  return `${host}${port ? `:${port}` : ''} cannot be reached from here: ${egressReasons[reason]} (${reason})`
}
