import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A span as a collector is sent it, with its attributes as an object. */
export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  attributes: Record<string, string | number | boolean | undefined>
  isError: boolean
}
export type Collector = AsyncDisposable & {
  url: string
  spans: CollectedSpan[]
  /** Everything that was sent, as it came. */
  text(): string
  /** Resolves with all spans once `condition` holds of them. */
  until(condition: (spans: CollectedSpan[]) => boolean, ms?: number): Promise<CollectedSpan[]>
}

/** An OTLP collector on loopback that keeps the spans that it is sent as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const texts: string[] = []
  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end()
    texts.push(text)
    spans.push(...spansIn(JSON.parse(text) as Sent))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => texts.join('\n'),
    until: async (condition, ms = 10_000) => {
      const until = Date.now() + ms
      while (!condition(spans)) {
        if (Date.now() > until) throw new Error(`The spans so far are ${JSON.stringify(spans, null, 1)}.`)
        await sleep(20)
      }
      return spans
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
type SentSpan = Omit<CollectedSpan, 'attributes' | 'isError'> & {
  attributes?: { key: string; value: Value }[]
  status?: { code?: number }
}
type Sent = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }

function spansIn({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map(({ traceId, spanId, parentSpanId, name, kind, attributes = [], status }) => ({
      traceId,
      spanId,
      parentSpanId: parentSpanId || undefined,
      name,
      kind,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)])),
      isError: status?.code === 2,
    }))
}

function valueOf({ stringValue, intValue, doubleValue, boolValue }: Value) {
  return stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue
}
