import { WebSocket } from 'ws'
import type { Config } from '#base/config/config.ts'
import { connectPath, messageBytesMax } from './connection.ts'

/** The service asks who it is within this time, or is none. */
const HANDSHAKE_MS = 10_000

export type ServiceAddress = { serviceUrl: string; token: string }

/** Where the service is, and what lets a worker in. Throws a sentence where that is not set. */
export function requireService({ serviceUrl, workerToken }: Config): ServiceAddress {
  if (serviceUrl && workerToken) return { serviceUrl, token: workerToken.reveal() }
  throw new Error(
    'A remote worker needs RUNWRIGHT_SERVICE_URL, where the service takes remote workers, and RUNWRIGHT_WORKER_TOKEN.',
  )
}

/** Begins to connect to the service. */
export function dialService({ serviceUrl, token }: ServiceAddress): WebSocket {
  const url = new URL(`${serviceUrl}${connectPath}`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    handshakeTimeout: HANDSHAKE_MS,
  })
}

/** What the service answers to a token that it does not know, or no longer. */
export const wrongTokenStatus = 401
export const wrongToken =
  'The service does not accept RUNWRIGHT_WORKER_TOKEN: it is another one, was revoked, or has expired. Give this worker one that is good.'
