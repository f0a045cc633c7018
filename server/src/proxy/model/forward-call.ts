import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SendChecked } from '#adapters/codehosts/dial-out.ts'
import type { ModelConfig } from '#base/models/model-config.ts'
import { limits } from '#base/limits.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { baseUrlOf, keyHeadersOf, withoutSecrets } from '#base/models/model-providers.ts'
import type { ModelPath } from './find-model-path.ts'
import { CallRefused } from './refuse-call.ts'

export type AnswerWatcher = { take(chunk: Buffer): Promise<void>; end(): Promise<void> }

export type ForwardCall = {
  /** Of the provider that is asked. */
  config: ModelConfig
  /** For hosts that an organization has named: they are checked before they are dialled. */
  checked: { send: SendChecked; organizationId: number } | undefined
  at: ModelPath
  request: IncomingMessage
  response: ServerResponse
  /** In pieces. */
  body: (Uint8Array | string)[]
  /** Told once all of it is on its way. */
  onSent: () => void
  /** Told once the provider answers; what it gives back is told each piece before it is passed on, and the end. */
  onAnswer: (answer: IncomingMessage) => AnswerWatcher
  silenceMs?: number
}

/** What is passed on of a request. A list of what may pass cannot forget a credential. */
const headersIn = ['accept', 'content-type', 'user-agent', 'anthropic-version', 'anthropic-beta', 'openai-beta']
/** What agents are told of the provider's answer: what it is, and when to try again. */
const headersOut = ['content-type', 'request-id', 'x-request-id', 'retry-after', 'retry-after-ms', 'x-should-retry']
/** Of the address's query: how the answer is written, and which version of the wire it is. */
const queryIn = ['alt', 'beta']

/**
 * Asks the provider with our key, and passes its answer on as it comes, no faster than it is taken. Whoever goes away ends
 * it on both sides. Throws `CallRefused` where the provider cannot be reached, and whatever broke an answer off.
 */
export async function forwardCall(call: ForwardCall): Promise<void> {
  const { response, onAnswer } = call
  const gone = new AbortController()
  const leave = () => gone.abort()
  response.once('close', leave)
  if (response.destroyed) leave()
  try {
    const answer = await askProvider(call, gone.signal)
    const watcher = onAnswer(answer)
    const { statusCode: status = 502 } = answer
    response.writeHead(status, pick(answer.headers, headersOut))
    if (!hasAnswered(status)) {
      const refusal = await readRefusal(answer, call.config)
      await watcher.end()
      return void response.end(refusal)
    }
    const watch = async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        await watcher.take(chunk)
        yield chunk
      }
      await watcher.end()
    }
    await pipeline(answer, watch, response)
  } finally {
    response.off('close', leave)
  }
}

/** A provider that does anything else has refused, and used nothing. */
export const hasAnswered = (status: number): boolean => status >= 200 && status < 300

/** What a provider says to a refusal; some repeat the key that they were shown. */
async function readRefusal(answer: IncomingMessage, config: ModelConfig): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    if ((bytes += chunk.length) > limits.modelRefusalBytesMax) break
  }
  const text = Buffer.concat(chunks).subarray(0, limits.modelRefusalBytesMax).toString('utf8')
  return withoutSecrets(config, text)
}

async function askProvider(call: ForwardCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { config, at, request, body, onSent, checked, silenceMs = limits.modelSilenceMs } = call
  const url = new URL(baseUrlOf(config, at.provider) + at.path)
  const asked = new URL(request.url ?? '/', 'http://proxy').searchParams
  for (const name of queryIn) for (const value of asked.getAll(name)) url.searchParams.append(name, value)
  const passed = pick(request.headers, headersIn) as Record<string, string>
  const ofKey = keyHeadersOf(config, at.provider)
  const betas = [passed['anthropic-beta'], ofKey['anthropic-beta']].filter((one) => one !== undefined)
  const headers = {
    ...passed,
    ...ofKey,
    ...(betas.length > 0 && { 'anthropic-beta': betas.join() }),
    // What is packed cannot be counted as it passes by.
    'accept-encoding': 'identity',
    'content-length': String(body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)),
  }
  if (checked) return askChecked(checked, { url, headers, body, onSent, silenceMs, signal })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, { method: 'POST', signal, headers })
  sent.setTimeout(silenceMs, () => sent.destroy(new Error(`no word for ${silenceMs / 1000} s`)))
  sent.once('finish', onSent)
  sent.once('response', resolve)
  // Nothing of the cause is told inside: it may name addresses of ours.
  sent.on('error', (cause) => reject(new CallRefused(unreachable, { cause })))
  for (const piece of body) sent.write(piece)
  sent.end()
  return promise
}

type AskChecked = Pick<ForwardCall, 'body' | 'onSent'> & {
  url: URL
  headers: Record<string, string>
  silenceMs: number
  signal: AbortSignal
}

async function askChecked(
  { send, organizationId }: NonNullable<ForwardCall['checked']>,
  { url, headers, body, onSent, silenceMs, signal }: AskChecked,
): Promise<IncomingMessage> {
  const sent = Readable.from(body).once('end', onSent)
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(), silenceMs)
  const request = {
    url,
    asker: organizationId,
    method: 'POST',
    headers,
    body: sent,
    timeoutMs: modelLimits.modelAnswerMs,
  }
  try {
    const answer = await send({ ...request, signal: AbortSignal.any([signal, silent.signal]) })
    answer.setTimeout(silenceMs, () => answer.destroy(new Error(`no word for ${silenceMs / 1000} s`)))
    return answer
  } catch (cause) {
    throw new CallRefused(unreachable, { cause })
  } finally {
    clearTimeout(timer)
    sent.destroy()
  }
}

const unreachable = {
  status: 502,
  code: 'api_error',
  message: 'The model provider is unreachable or does not respond.',
} as const

function pick(headers: NodeJS.Dict<string | string[]>, names: string[]): Record<string, string | string[]> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}
