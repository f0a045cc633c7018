import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What may go wrong between a service and its code host. */
export const hostFaults = {
  unauthorized: { status: 401 },
  forbidden: { status: 403 },
  tooMany: { status: 429, headers: { 'retry-after': '1' } },
  broken: { status: 500 },
  badGateway: { status: 502 },
  /** The connection ends before the host has seen the request. */
  cut: { cut: 'request' },
  /** The host does what it was asked for, and its answer is lost. */
  lostAnswer: { cut: 'answer' },
  /** A page of something in between, which says that all is well. */
  page: { status: 200, type: 'text/html', body: '<html><body>Please sign in to the network.</body></html>' },
  wrongJson: { status: 200, type: 'application/json', body: '{"hello":"world"}' },
  /** Longer than anybody waits for one answer. */
  silence: { silentMs: 31_000 },
} satisfies Record<string, HostFault>
export type HostFaultName = keyof typeof hostFaults

type HostFault =
  | { status: number; headers?: Record<string, string>; type?: string; body?: string }
  | { cut: 'request' | 'answer' }
  | { silentMs: number }

export type FaultyHost = AsyncDisposable & {
  /** In place of the host's own. */
  url: string
  /** Each call so far, with how often: `POST /repos/acme/app/issues/{n}/comments`, `GET …/info/refs git-upload-pack`. */
  calls: Map<string, number>
  /** Which fault the call meets; `count`: the how-manieth call of its kind it is. */
  decide: (call: string, count: number) => HostFault | undefined
}

/** A way to a code host, its API and its git, on which calls go wrong as a test says. */
export async function openFaultyHost(target: string): Promise<FaultyHost> {
  const faulty: Pick<FaultyHost, 'calls' | 'decide'> = { calls: new Map(), decide: () => undefined }
  const server = createServer((incoming, response) => {
    const call = callOf(incoming)
    const count = (faulty.calls.get(call) ?? 0) + 1
    faulty.calls.set(call, count)
    answer(target, { incoming, response, fault: faulty.decide(call, count) }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(faulty, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

type Answer = { incoming: IncomingMessage; response: ServerResponse; fault: HostFault | undefined }

async function answer(target: string, { incoming, response, fault }: Answer): Promise<void> {
  if (fault && 'status' in fault) {
    incoming.resume()
    const { status, headers, type = 'application/json', body = '{"message":"Something went wrong"}' } = fault
    return void response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  }
  if (fault && 'silentMs' in fault) await sleep(fault.silentMs)
  if (fault && 'cut' in fault && fault.cut === 'request') return void response.destroy()
  const { method, headers, url } = incoming
  const upstream = request(new URL(url ?? '/', target), { method, headers: { ...headers, host: new URL(target).host } })
  const answered = once(upstream, 'response') as Promise<[IncomingMessage]>
  await Promise.all([pipeline(incoming, upstream), answered])
  const [reply] = await answered
  if (fault && 'cut' in fault) {
    for await (const _ of reply) continue
    return void response.destroy()
  }
  response.writeHead(reply.statusCode ?? 502, reply.headers)
  await pipeline(reply, response)
}

function callOf({ method, url = '/' }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const path = pathname
    .replace(/^\/api\/v3/, '')
    .replaceAll(/\/(\d+|[0-9a-f]{40})(?=\/|$)/g, '/{n}')
    .replace(/\/(commits|branches|git\/ref)\/.+?(?=\/(check-runs|status|statuses|pulls)$|$)/, '/$1/{name}')
  return [method, path, searchParams.get('service')].filter(Boolean).join(' ')
}
