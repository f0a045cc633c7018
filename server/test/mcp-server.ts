import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

export type ListeningServer = AsyncDisposable & {
  url: string
  seen: { headers: IncomingMessage['headers']; body: string }[]
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export type ServedTools = { calls: string[]; before?: (tool: string) => Promise<void> | void }

/** A server as its makers would write it, with the official library. */
export function makeMcpServer({ calls, before }: ServedTools): McpServer {
  const server = new McpServer({ name: 'test', version: '1' })
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })
  const inputSchema = z.object({ a: z.number(), b: z.number().optional() })
  server.registerTool('add', { description: 'Adds two numbers.', inputSchema }, async ({ a, b = 1 }) => {
    calls.push(`add ${a} ${b}`)
    await before?.('add')
    return text(String(a + b))
  })
  server.registerTool('long', { description: 'Says much.' }, async () => text(`begin ${'x'.repeat(100_000)} end`))
  server.registerTool('fail', { description: 'Fails.' }, async () => ({ ...text('No such customer.'), isError: true }))
  server.registerTool('picture', { description: 'Shows a pixel.' }, async () => ({
    content: [{ type: 'image', data: pixel, mimeType: 'image/png' }],
  }))
  return server
}

/** Listens with it on loopback. */
export async function serveMcp(tools: ServedTools): Promise<ListeningServer> {
  const handler = createMcpHandler(() => makeMcpServer(tools))
  return serve(async (request, response, body) => {
    const init = {
      method: request.method ?? 'GET',
      headers: request.headers as Record<string, string>,
      ...(body ? { body } : {}),
    }
    const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, init))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response)
    else response.end()
  })
}

/** Listens on loopback, and does to each request what `answer` does. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void> | void,
): Promise<ListeningServer> {
  const seen: ListeningServer['seen'] = []
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const body = Buffer.concat(pieces).toString()
      seen.push({ headers: request.headers, body })
      await answer(request, response, body)
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    [Symbol.asyncDispose]: async () => {
      // In this order: no connection comes in between.
      if (server.listening) server.close()
      server.closeAllConnections()
    },
  }
}
