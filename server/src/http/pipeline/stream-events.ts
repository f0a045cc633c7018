import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { limits } from '#base/limits.ts'
import type { Admission } from '#domain/runs/subscriptions/subscriptions.ts'
import { logOfRequest } from './log-of-request.ts'
import type { HttpDeps } from './deps.ts'

export const eventStream = 'text/event-stream'

export type StreamEvents = {
  /** Ends the stream when its reader may not read any more. */
  admission: Admission
  request: FastifyRequest
  reply: FastifyReply
  deps: Pick<HttpDeps, 'streamCommentMs'>
  /** Called once the answer has begun; its signal aborts when the reader has gone. */
  events: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

/**
 * Answers with server-sent events until there are no more or the reader goes. It asks for more only as the reader takes
 * what there is; who takes nothing for `streamStallMs` is dropped.
 */
export async function streamEvents({ admission, request, reply, deps, events }: StreamEvents): Promise<void> {
  reply.code(200).header('content-type', `${eventStream}; charset=utf-8`)
  // `no-transform` and the second keep proxies from holding events back.
  reply.header('cache-control', 'no-store, no-transform').header('x-accel-buffering', 'no')
  if (request.method === 'HEAD') return void (await reply.send())
  const response = reply.raw
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  reply.hijack()
  // A closing server need not wait for a connection that would be kept for a next request.
  response.writeHead(200, { ...reply.getHeaders(), connection: 'close' } as Record<string, string>)
  response.write('retry: 1000\n\n')
  const commenting = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n')
  }, deps.streamCommentMs ?? limits.streamCommentMs)
  try {
    const stop = AbortSignal.any([gone.signal, admission.signal])
    for await (const bytes of events(stop)) await send(response, bytes, gone.signal)
    response.end()
  } catch (error) {
    if (!gone.signal.aborted) logOfRequest(request).warn({ err: error }, 'a stream broke off')
    response.destroy()
  } finally {
    clearInterval(commenting)
  }
}

class ReaderStalled extends Error {
  override readonly name = 'ReaderStalled'
  override readonly message = 'The reader took nothing for too long.'
}

async function send(response: ServerResponse, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  for (let at = 0; at < bytes.length && !gone.aborted; at += limits.streamPieceBytes) {
    if (response.write(bytes.subarray(at, at + limits.streamPieceBytes))) continue
    await drained(response, gone)
  }
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer)
      response.off('drain', finish)
      gone.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(() => reject(new ReaderStalled()), limits.streamStallMs)
    response.on('drain', finish)
    gone.addEventListener('abort', finish)
    if (gone.aborted) finish()
  })
}

/** One event as it stands on the wire; `data` is JSON in one line. */
export function eventText({ event, id, data }: { event: string; id?: number; data: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

/** Encodes each thing once, however many readers it is sent to. */
export function encodeOnce<Thing extends object>(
  encode: (thing: Thing, publicUrl: string) => string,
): (thing: Thing, publicUrl: string) => Uint8Array {
  const encoded = new WeakMap<Thing, Uint8Array>()
  return (thing, publicUrl) => {
    const known = encoded.get(thing)
    if (known) return known
    const bytes = Buffer.from(encode(thing, publicUrl))
    encoded.set(thing, bytes)
    return bytes
  }
}
