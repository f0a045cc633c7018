import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '#base/json.ts'
import { streamGoogle, streamOf } from './model-streams.ts'
import { wires, type ScriptedAnswer, type Wire } from './model-wires.ts'

/** What goes wrong instead. */
export type ScriptedFault =
  | { status: number; message?: string; code?: string; headers?: Record<string, string> }
  | { fault: 'html' | 'empty' | 'hang' | 'cut' | 'overflow' }

export type ScriptedReply = ScriptedAnswer | ScriptedFault
export type ModelServerRequest = {
  wire: Wire
  path: string
  headers: IncomingHttpHeaders
  body: JsonObject
  text: string
  /** Whoever asked has gone without the answer. */
  isGivenUp: boolean
  /** Of its stream. */
  eventsSent: number
}
/** Replies in order, or what makes one of a request. The number counts requests from 1. */
export type ModelScript =
  | ScriptedReply[]
  | ((request: ModelServerRequest, number: number) => ScriptedReply | Promise<ScriptedReply>)
export type ModelServer = AsyncDisposable & { url: string; requests: ModelServerRequest[]; close(): Promise<void> }

/** A model provider on loopback that says what a script tells it, in the words of whichever API it is asked by. */
export async function startModelServer(
  script: ModelScript,
  modelId = 'scripted-1',
  /** The key that it wants, as it is then; it repeats any other one in its refusal. */
  wants: () => string | null = () => null,
): Promise<ModelServer> {
  const requests: ModelServerRequest[] = []
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const shown = [request.headers.authorization?.replace('Bearer ', ''), request.headers['x-api-key']].find(Boolean)
    const isRefused = wants() !== null && shown !== wants()
    if (isRefused) await readText(request)
    if (isRefused)
      return sendJson(response, 401, { error: { message: `Incorrect API key provided: ${String(shown)}` } })
    if (request.method === 'GET' && path.endsWith('/models')) return sendModels(response, path, modelId)
    const wire = wires.find((candidate) => candidate.path.test(path.split('?', 1)[0] ?? ''))
    if (!wire) return sendJson(response, 404, { error: { message: `There is nothing at ${path}.` } })
    const text = await readText(request)
    const { headers } = request
    const body = JSON.parse(text) as JsonObject
    const asked: ModelServerRequest = { wire: wire.name, path, headers, body, text, isGivenUp: false, eventsSent: 0 }
    response.on('close', () => (asked.isGivenUp = !response.writableFinished))
    const number = requests.push(asked)
    const reply = typeof script === 'function' ? await script(asked, number) : script[number - 1]
    if (!reply)
      return sendJson(response, 400, wire.error({ message: `The script has no reply ${number}.`, code: 'script' }))
    if ('status' in reply) return sendStatus(response, wire, reply)
    if ('fault' in reply) return sendFault(response, wire, reply.fault)
    const whole = wire.answer(reply, { modelId, number })
    const isStream = body['stream'] === true || path.includes(':streamGenerateContent')
    if (isStream && reply.sends !== 'whole') return sendStream(response, { asked, wire, reply, whole })
    const { alter = (text: string) => text } = reply
    response.writeHead(200, { 'content-type': 'application/json' }).end(alter(JSON.stringify(whole)))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close }
}

type WireWords = (typeof wires)[number]

type Streamed = { asked: ModelServerRequest; wire: WireWords; reply: ScriptedAnswer; whole: unknown }

async function sendStream(response: ServerResponse, { asked, wire: words, reply, whole }: Streamed): Promise<void> {
  const { wire, path } = asked
  // Gemini streams a list unless it is asked for events.
  const isList = wire === 'google' && !path.includes('alt=sse')
  const events = isList
    ? [
        `[${streamGoogle(reply, whole as JsonObject)
          .map((chunk) => JSON.stringify(chunk))
          .join(',\r\n')}]`,
      ]
    : streamOf(wire, reply, whole)
  response.writeHead(200, { 'content-type': isList ? 'application/json' : 'text/event-stream' })
  const half = Math.ceil(events.length / 2)
  for (const event of reply.breaks ? events.slice(0, half) : events) {
    asked.eventsSent++
    if (typeof reply.sends === 'number') {
      // Says nothing, and shows that somebody is there.
      response.write(': still there\n\n')
      await sleep(reply.sends)
    }
    if (!response.write(reply.alter?.(event) ?? event)) await once(response, 'drain')
  }
  if (reply.breaks === 'stall') return
  if (reply.breaks === 'cut') return void setImmediate(() => response.destroy())
  if (reply.breaks === 'overloaded') {
    const error = words.error({ message: 'Overloaded', code: 'overloaded_error' }) as JsonObject
    if (wire === 'google') Object.assign(error['error'] as JsonObject, { code: 503, status: 'UNAVAILABLE' })
    return void response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', ...error })}\n\n`)
  }
  response.end(reply.breaks === 'garbage' ? 'data: {"half": \n\n\0\ufffd<html>' : '')
}

function sendModels(response: ServerResponse, path: string, modelId: string): void {
  const isGoogle = path.includes('v1beta')
  sendJson(
    response,
    200,
    isGoogle ? { models: [{ name: `models/${modelId}` }] } : { object: 'list', data: [{ id: modelId }] },
  )
}

function sendStatus(
  response: ServerResponse,
  wire: WireWords,
  reply: Extract<ScriptedFault, { status: number }>,
): void {
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  const { status, message = `scripted status ${status}`, code = 'scripted' } = reply
  sendJson(response, status, wire.error({ message, code }))
}

function sendFault(
  response: ServerResponse,
  wire: WireWords,
  fault: 'html' | 'empty' | 'hang' | 'cut' | 'overflow',
): void {
  if (fault === 'hang') return
  if (fault === 'overflow') return sendJson(response, 400, wire.error(wire.overflow))
  if (fault === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Sign in to the proxy</body></html>')
  } else if (fault === 'empty') response.writeHead(200, { 'content-type': 'application/json' }).end()
  else {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' }).write('{"id": "cut')
    // Only once the beginning is out, so that the client sees an answer that breaks off.
    setImmediate(() => response.destroy())
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
