import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Listen } from '#base/network/network-address.ts'
import type { Metrics } from '#base/telemetry/metrics.ts'

export type MetricsServer = AsyncDisposable & { url: string }

/**
 * Answers `GET /metrics` on a port of its own: workers have no other, and what stands in front of the API does not
 * expose it. Rejects when the port cannot be had.
 */
export async function serveMetrics(metrics: Pick<Metrics, 'read'>, { host, port }: Listen): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isKnown = (request.url ?? '').split('?')[0] === '/metrics'
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isKnown || !isRead) return void response.writeHead(isKnown ? 405 : 404, { allow: 'GET, HEAD' }).end()
    metrics.read().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}/metrics`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
