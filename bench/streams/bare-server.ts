// The control: a bare node:http server that writes what it is sent to everybody who listens. Says its port.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const listeners = new Set<http.ServerResponse>()
const server = http.createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    listeners.add(response)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const bytes = Buffer.concat(chunks)
    for (const listener of listeners) listener.write(bytes)
    response.end()
  })
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
