import http from 'node:http'
import https from 'node:https'
import { Agent, setGlobalDispatcher } from 'undici'
import type { Names } from './names.ts'

/**
 * Whatever this process asks of hosts that the operator has named (models, a store, a provider of identities) finds them by
 * these names too, and not by the system's few threads: `fetch`, and requests that bring no agent of their own.
 */
export function dialByNames({ dial }: Pick<Names, 'dial'>): void {
  setGlobalDispatcher(new Agent({ connect: { lookup: dial } }))
  // What Node's own are made with, and the names besides.
  const options = { keepAlive: true, scheduling: 'lifo', timeout: 5_000, lookup: dial } as const
  http.globalAgent = new http.Agent(options)
  https.globalAgent = new https.Agent(options)
}
