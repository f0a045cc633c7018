import { APICallError } from 'ai'
import { EngineError } from '#adapters/engines/engine.ts'
import { baseUrlOf, withoutSecrets, wordsOf } from '#base/models/model-providers.ts'
import { shorten } from '#base/text/shorten.ts'
import type { ChosenModel } from './choose-model.ts'
import type { ModelOptions } from './model-options.ts'

/** What to do about a model call that failed. */
export type Fault =
  | { kind: 'try_again'; what: string; triesMax: number; waitMs: number | null; error: EngineError }
  | { kind: 'overflow' }
  | { kind: 'end'; error: EngineError }

/** The reason with which a request is ended that got no answer in time. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** The reason with which a request is ended whose answer is longer than any model's. */
export class Flood extends Error {
  override readonly name = 'Flood'
  constructor(bytesMax: number) {
    super(`more than ${bytesMax.toLocaleString('en-US')} bytes in one answer`)
  }
}

const OVERFLOW = new RegExp(
  [
    'prompt is too long',
    'request_too_large',
    'context_length_exceeded',
    'exceeds the context window',
    'maximum context length',
    'input token count.{0,200}exceeds the maximum',
    'exceeds the available context size',
    'greater than the context length',
    'maximum prompt length',
    'reduce the length of the messages',
  ].join('|'),
  'is',
)
const NO_CREDIT =
  /insufficient_quota|credit balance|billing|spend(ing)?[ _]limit|exceeded your current quota|no credit/i
const CONNECTION_TRIES = 5
const OVERLOAD_TRIES = 10
const NONSENSE_TRIES = 2
const SILENCE_TRIES = 3
const SHOWN_CHARACTERS_MAX = 300

export type FaultSource = { options: ModelOptions; chosen: Pick<ChosenModel, 'provider' | 'id' | 'name'>; now: number }

export function readFault(error: unknown, source: FaultSource): Fault {
  const { title, address } = wordsOf(source.options, source.chosen.provider)
  const where = withoutSecrets(source.options, baseUrlOf(source.options, source.chosen.provider))
  const again = (what: string, triesMax: number, message: string, waitMs: number | null = null): Fault => {
    const text = withoutSecrets(source.options, message)
    return {
      kind: 'try_again',
      what,
      triesMax,
      waitMs,
      error: new EngineError('model_error', text, { retryable: true }),
    }
  }
  if (error instanceof Silence) {
    return again(error.message, SILENCE_TRIES, `${title} (${where}) did not answer: ${error.message}.`, 0)
  }
  if (error instanceof Flood) {
    const message = withoutSecrets(source.options, `${title} (${where}) sent ${error.message}: check ${address}.`)
    return { kind: 'end', error: new EngineError('model_error', message) }
  }
  if (APICallError.isInstance(error)) {
    const status = error.statusCode
    if (status === undefined) {
      const message = `${title} cannot be reached at ${where} (${onOneLine(error.message)}): check ${address}.`
      return again('cannot be reached', CONNECTION_TRIES, message)
    }
    if (status === 200 && error.isRetryable) {
      return again(
        'the connection was cut',
        CONNECTION_TRIES,
        `${title} (${where}) cut the connection in every answer.`,
      )
    }
    if (status !== 200) return readStatus(error, status, source, again)
  } else if (!(error instanceof Error && error.name.startsWith('AI_'))) {
    return {
      kind: 'end',
      error: new EngineError('engine_error', `The model could not be asked: ${String(error)}`, { cause: error }),
    }
  }
  return again('not a model’s answer', NONSENSE_TRIES, sayNonsense(error, where, address), 0)
}

type Again = (what: string, triesMax: number, message: string, waitMs?: number | null) => Fault

function readStatus(error: APICallError, status: number, { options, chosen, now }: FaultSource, again: Again): Fault {
  const { title, key, address } = wordsOf(options, chosen.provider)
  const where = withoutSecrets(options, baseUrlOf(options, chosen.provider))
  const reason = onOneLine(error.message)
  const whole = `${error.message} ${error.responseBody ?? ''}`
  const end = (code: 'model_error' | 'no_model', message: string): Fault => ({
    kind: 'end',
    error: new EngineError(code, withoutSecrets(options, message)),
  })
  if (status !== 429 && OVERFLOW.test(whole)) return { kind: 'overflow' }
  if (status === 401 || status === 403) {
    return end('model_error', `${title} refuses the key (${status} from ${where}): check ${key}. It says: ${reason}`)
  }
  if (status === 404) {
    const message = `${title} (${where}) answers 404 for the model ${chosen.id}: name another one, or check ${address}. It says: ${reason}`
    return end('no_model', message)
  }
  if (status === 402 || (status === 429 && NO_CREDIT.test(whole))) {
    return end('model_error', `${noCredit(options.own, { title, key })} (${status}). It says: ${reason}`)
  }
  const message = `${title} (${where}) answers ${status}. It says: ${reason}`
  if (status === 429 || status >= 500) return again(String(status), OVERLOAD_TRIES, message, askedWaitMs(error, now))
  if (status === 408 || status === 409) return again(String(status), CONNECTION_TRIES, message)
  return end('model_error', message)
}

const noCredit = (own: string | undefined, { title, key }: { title: string; key: string }): string =>
  own === undefined
    ? `The ${title} account of ${key} has no credit`
    : `${title} says that the account of ${key} has no credit`

/** How long the server asks us to wait; null when it does not say. */
function askedWaitMs({ responseHeaders = {} }: APICallError, now: number): number | null {
  const ms = Number(responseHeaders['retry-after-ms'] ?? NaN)
  if (ms >= 0) return ms
  const after = responseHeaders['retry-after']
  if (after === undefined) return null
  if (/^[\d.]+$/.test(after)) return Number(after) * 1000
  // A moment by the server's clock, which is in its answer.
  const askedAt = Date.parse(responseHeaders['date'] ?? '') || now
  const waitMs = Date.parse(after) - askedAt
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null
}

function sayNonsense(error: Error, where: string, variable: string): string {
  const body = APICallError.isInstance(error) ? error.responseBody?.trim() : undefined
  const begin = body === '' ? 'an empty body' : body ? `“${onOneLine(body)}”` : onOneLine(error.message)
  return `${where} answers, but not as a model does (${begin}): ${variable} looks wrong.`
}

const onOneLine = (text: string) => shorten(text.replace(/\s+/g, ' ').trim(), SHOWN_CHARACTERS_MAX)
