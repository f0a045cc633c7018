import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#app/app.ts'
import type { Usage } from '#base/entry.ts'
import { limits } from '#base/limits.ts'
import { isModelAllowed, providers } from '#base/models/model-providers.ts'
import { configOf, lackOfKey } from '#base/models/own-provider.ts'
import { priceUsage } from '#base/models/price-usage.ts'
import { isSameSecret } from '#base/secrets/is-same-secret.ts'
import { finishModelCall } from '#domain/runs/model-calls/finish-model-call.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import type { OwnService, Visitor } from '#proxy/open-proxy.ts'
import { AnswerCounter, type CountAnswer } from './count-answer.ts'
import { findModelPath, type ModelPath } from './find-model-path.ts'
import { forwardCall, hasAnswered, type ForwardCall } from './forward-call.ts'
import { ForeignJson } from './foreign-json.ts'
import { noteRefusal } from './note-refusal.ts'
import { openMeter, takeFrom, type Meter } from './meter.ts'
import type { PreparedCall } from './prepare-call.ts'
import { readCall } from './read-call.ts'
import { CallRefused, refuseCall } from './refuse-call.ts'
import { Room } from './room.ts'
import { takeMoney } from './take-money.ts'
import { writeTail } from './split-output.ts'

type ModelApp = Pick<App, 'config' | 'pool' | 'logger' | 'telemetry' | 'mask' | 'redactors' | 'sendToModel'>

/** One for all of this process: what it starts is bounded. */
const json = new ForeignJson()

/**
 * The way from a sandbox to a model: `/model/<provider>/…`, as the provider itself has its paths. Programs inside show
 * their run's token where the wire wants a key; the organization's own, or ours, is put in its place, outside. What is used is counted as it passes
 * by, and where the run's money is spent it is paused.
 */
export function openModelService(app: ModelApp, options: { silenceMs?: number } = {}): OwnService {
  const meters = new WeakMap<Visitor, Meter>()
  return async (request, response, visitor) => {
    const meter = meters.get(visitor) ?? openMeter()
    meters.set(visitor, meter)
    // Before anything is read, so that whatever is refused is told in the form of its wire.
    let at = findModelPath(pathOf(request))
    const leaving = new AbortController()
    response.once('close', () => leaving.abort())
    using room = new Room(meter.held)
    try {
      checkToken(request, visitor)
      const target = await findTarget(app, { request, visitor })
      at = target.at
      takeFrom(meter.calls, 1)
      takeFrom(meter.bytes, 0)
      const from = { key: `organization/${visitor.holder.organizationId}`, signal: leaving.signal }
      const raw = await readCall(request, room)
      const call = await json.prepareCall({ at, ...raw }, from)
      takeFrom(meter.bytes, call.bytes)
      room.take(call.head.length)
      const model = modelOf(target, call.model)
      const forward = (tokens: number | null, watch: Watch) =>
        forwardCall({
          ...target,
          request,
          response,
          body: [call.head, target.at.isBilled ? writeTail(target.at, call.wish, tokens) : '}'],
          ...watch,
          ...options,
        })
      const readLong = (bytes: Buffer) => json.readAnswer({ wire: target.at.wire, bytes }, { key: from.key })
      if (at.isBilled)
        await forwardCounted(app, { visitor, target, model, call, forward, readLong, signal: leaving.signal })
      else await forward(null, { onSent: () => {}, onAnswer: () => ({ take: async () => {}, end: async () => {} }) })
    } catch (error) {
      if (error instanceof CallRefused) await noteRefusal(app, { visitor, noted: meter.noted, refusal: error.refusal })
      settleFault(app, { error, response, visitor, at })
    }
  }
}

/** Who is asked for what, and how it is reached. */
type Target = Pick<ForwardCall, 'at' | 'config' | 'checked'>

/** Throws `CallRefused`. */
async function findTarget(
  app: ModelApp,
  { request, visitor }: { request: IncomingMessage; visitor: Visitor },
): Promise<Target> {
  // Read for each call: a key may be another one by then.
  const { organizationId, items } = await app.redactors.openProviders(visitor.holder)
  const at = findModelPath(pathOf(request), items)
  if (!at || request.method !== 'POST') throw notOffered(request)
  const own = items.find(({ name }) => name === at.name)
  if (own?.lacksKey) {
    const message = `${lackOfKey(own.name)}.`
    throw new CallRefused({ status: 403, code: 'permission_error', message })
  }
  const config = own ? configOf(own) : app.config.model
  if (!config[at.provider]) throw notConfigured(at)
  return { at, config, checked: own && { send: app.sendToModel, organizationId } }
}

type Watch = Pick<ForwardCall, 'onSent' | 'onAnswer'>
type CountedCall = {
  visitor: Visitor
  target: Target
  model: string
  call: PreparedCall
  forward: (tokens: number | null, watch: Watch) => Promise<void>
  readLong: CountAnswer['readLong']
  signal: AbortSignal
}

async function forwardCounted(
  app: ModelApp,
  { visitor, target, model, call, forward, readLong, signal }: CountedCall,
): Promise<void> {
  const { at, config } = target
  const { prices } = config
  const key = `proxy/${randomUUID()}`
  const priced = { provider: at.provider, id: model, name: `${at.name}/${model}` }
  const { inputTokens: expectedTokens, inputTokensMax, isKeptAnHour, wish } = call
  const asked = { model: priced, prices, inputTokens: expectedTokens, inputTokensMax, isKeptAnHour, ...wishOf(call) }
  const allotted = await takeMoney(app, { visitor, key, wish: asked, signal })
  const { outputTokens, most } = allotted
  /** What cannot be known any more counts as what it may have been, where that is bounded at all. */
  const unknown = outputTokens === null ? allotted.expected : most
  let isSent = false
  let answered: { status: number; counter: AnswerCounter } | undefined
  const count = async (): Promise<Counted> => {
    // Who leaves before the answer begins has had the model work all the same.
    if (!answered) return { usage: isSent ? unknown : null, isEstimated: true }
    if (!hasAnswered(answered.status)) return { usage: null, isEstimated: false }
    const { counts, isEstimated, isBroken } = await answered.counter.end()
    // What a model thinks is not seen, nor what it has written meanwhile.
    if (isBroken && outputTokens !== null) {
      const inputTokens = answered.counter.inputTokens ?? inputTokensMax
      const written = Math.max(counts.outputTokens, outputTokens * wish.answers)
      return { usage: priceUsage(priced, { ...counts, inputTokens, outputTokens: written }, prices), isEstimated }
    }
    return { usage: priceUsage(priced, counts, prices), isEstimated }
  }
  let recorded: Promise<void> | undefined
  const record = () => (recorded ??= count().then((counted) => recordUsage(app, { visitor, key, ...counted })))
  const onAnswer: Watch['onAnswer'] = ({ statusCode: status = 502, headers }) => {
    const isStream = (headers['content-type'] ?? '').includes('event-stream')
    const counter = new AnswerCounter({ wire: at.wire, isStream, expectedTokens, readLong })
    answered = { status, counter }
    const take = async (chunk: Buffer) => {
      await counter.take(chunk)
      // Before the program inside can know that the answer is whole, and ask again.
      if (counter.isComplete) await record()
    }
    return { take, end: record }
  }
  try {
    await forward(outputTokens, { onSent: () => (isSent = true), onAnswer })
  } finally {
    await record()
  }
}

const wishOf = ({ wish }: PreparedCall) => ({ outputTokens: wish.tokens, answers: wish.answers })

type Counted = { usage: Usage | null; isEstimated: boolean }
type RecordUsage = Counted & { visitor: Visitor; key: string }

/** What cannot be stored now stays as it was expected to be. */
async function recordUsage(app: ModelApp, { visitor, key, usage, isEstimated }: RecordUsage): Promise<void> {
  const { organizationId, runId } = visitor.holder
  if (usage) app.telemetry.noteUsage(usage)
  for (let tries = 1; ; tries++) {
    try {
      return await finishModelCall(app.pool, { organizationId, runId, key, usage, isEstimated })
    } catch (error) {
      if (tries < limits.usageTriesMax) await sleep(limits.usageRetryMs, undefined, { ref: false })
      else return app.logger.warn({ err: error, runId }, 'could not store the usage of a model call')
    }
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** The run's own token, in whatever place the wire has for a key. */
function checkToken({ headers, url = '' }: IncomingMessage, { token }: Visitor): void {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const inQuery = new URL(url, 'http://proxy').searchParams.get('key')
  const shown = [bearer, headers['x-api-key'], headers['x-goog-api-key'], inQuery]
  if (shown.some((one) => typeof one === 'string' && isSameSecret(one, token))) return
  const message = 'Show the token of this run, which $RUNWRIGHT_RUN_TOKEN holds.'
  throw new CallRefused({ status: 401, code: 'authentication_error', message })
}

/** Words of models that reach the network by themselves. */
const reaches = /search-preview|search-api|deep-research/

function modelOf({ at, config }: Target, inBody: string | null): string {
  const { name, model: inPath } = at
  const model = inPath ?? inBody
  if (model === null || !/^[\w.:@/+-]{1,100}$/.test(model)) {
    throw new CallRefused({ status: 400, code: 'invalid_request_error', message: 'The model has no name that can be.' })
  }
  if (isModelAllowed(config, `${name}/${model}`) && !reaches.test(model)) return model
  const message = `The model ${name}/${model} may not be used here.`
  throw new CallRefused({ status: 403, code: 'permission_error', message })
}

function notOffered({ method }: IncomingMessage): CallRefused {
  const message = `${method} of this path is not offered to runs.`
  return new CallRefused({ status: 404, code: 'not_found_error', message })
}

function notConfigured({ provider }: ModelPath): CallRefused {
  const { title, keyVariable } = providers[provider]
  const message = `${title} is not configured: whoever runs this service sets ${keyVariable}.`
  return new CallRefused({ status: 404, code: 'not_found_error', message })
}

type Fault = { error: unknown; response: ServerResponse; visitor: Visitor; at: ModelPath | undefined }

/** What broke off is broken off for the client too; it may also be what has gone. */
function settleFault(app: ModelApp, { error, response, visitor, at }: Fault): void {
  if (error instanceof CallRefused) return refuseCall(response, error.refusal, at?.wire)
  if (error instanceof LeaseLost) {
    const message = 'This run is not at work any more.'
    return refuseCall(response, { status: 401, code: 'authentication_error', message }, at?.wire)
  }
  const hasLeft = response.socket?.destroyed !== false
  if (response.headersSent || hasLeft) return void response.destroy()
  app.logger.error({ err: error, runId: visitor.holder.runId }, 'a model call failed because of an internal error')
  const message = 'Something went wrong on our side.'
  refuseCall(response, { status: 503, code: 'api_error', message }, at?.wire)
}
